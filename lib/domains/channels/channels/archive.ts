import * as v from 'valibot';
import { whoKnowsOf } from '../../../access/channel-audience.ts';
import { channelKnownTo } from '../../../access/channels.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { mayAdministerChannel } from '../../../rules/channels.ts';
import { disappears } from '../archived-channels.ts';
import { defaultChannelsEvent } from '../default-channels.ts';

export const archiveChannel = defineOperation({
  name: 'channels.archive',
  http: 'DELETE /streams/{stream_id}',
  summary: 'Archive a channel',
  description: 'Its messages stay readable, its name stays taken; PATCH with is_archived=false brings it back.',
  source: 'reference 7.9',
  access: 'member',
  effect: 'write',
  params: v.object({ stream_id: id }),
  result: empty,
  errors: [BadRequest],
  async run(context, { stream_id }) {
    const { channel, membership } = await channelKnownTo(context, context.actor, stream_id);
    if (!mayAdministerChannel(channel, membership))
      throw new BadRequest('You are not allowed to archive this channel.');
    const audience = await whoKnowsOf(context, channel);
    await context.tx.channels.update(stream_id, { is_archived: true, is_default: false });
    context.emit({
      archivedChannels: true,
      audience,
      event: { type: 'stream', op: 'update', stream_id, name: channel.name, property: 'is_archived', value: true },
    });
    disappears(context, channel, audience);
    if (channel.is_default) context.emit(await defaultChannelsEvent(context));
    return {};
  },
});

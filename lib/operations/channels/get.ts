import * as v from 'valibot';
import { BadRequest } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { id } from '../../params.ts';
import { channelKnownTo } from '../../steps/channel-access.ts';
import { channelObject, channelView } from '../../views/channel.ts';

export const getChannel = defineOperation({
  name: 'channels.get',
  http: 'GET /streams/{stream_id}',
  summary: 'Get a channel by its ID',
  description: 'Archived channels included.',
  source: 'reference 7.9',
  access: 'user',
  effect: 'read',
  params: v.object({ stream_id: id }),
  result: v.object({ stream: channelObject }),
  errors: [BadRequest],
  async run(context, { stream_id }) {
    const { channel } = await channelKnownTo(context, context.actor, stream_id, { archived: true });
    return { stream: channelView(channel, new Set(await context.tx.users.inactiveIds()), context.now) };
  },
});

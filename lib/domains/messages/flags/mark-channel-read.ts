import * as v from 'valibot';
import { accessChannel } from '../../../access/channels.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { emitRead } from './change-flags.ts';

export const markChannelRead = defineOperation({
  name: 'messages.markChannelRead',
  http: 'POST /mark_stream_as_read',
  summary: 'Mark everything in a channel as read',
  example: { stream_id: 3 },
  access: 'user',
  effect: 'mark',
  params: v.object({ stream_id: id }),
  result: empty,
  errors: [BadRequest],
  async run(context, { stream_id }) {
    const { tx, actor } = context;
    const { channel } = await accessChannel(context, actor, stream_id, { archived: true });
    const changed = await tx.readState.markAllRead(actor.id, { channel_id: channel.id });
    await emitRead(context, changed);
    return {};
  },
});

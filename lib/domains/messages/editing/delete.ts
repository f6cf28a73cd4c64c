import * as v from 'valibot';
import { messageAudience } from '../../../access/message-audience.ts';
import { messageKnownTo } from '../../../access/messages.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { checkDeletion } from './message-permission.ts';

export const deleteMessage = defineOperation({
  name: 'messages.delete',
  http: 'DELETE /messages/{message_id}',
  summary: 'Delete a message for good',
  description: 'Your own for some time, or any with the permission to.',
  source: 'reference 7.8',
  access: 'user',
  effect: 'write',
  params: v.object({ message_id: id }),
  result: empty,
  errors: [BadRequest],
  async run(context, { message_id }) {
    const { tx, actor, emit } = context;
    const message = await messageKnownTo(context, actor, message_id, { modify: true });
    await checkDeletion(context, message);
    const audience = await messageAudience(context, message);
    await tx.messages.remove([message.id]);
    const place =
      message.channel_id === null
        ? { message_type: 'private' }
        : { message_type: 'stream', stream_id: message.channel_id, topic: message.topic };
    emit({ audience, event: { type: 'delete_message', message_ids: [message.id], ...place } });
    return {};
  },
});

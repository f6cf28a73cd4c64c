import { choice, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import { channelOf, conversationOf } from '../../../viewer/audiences.ts';
import { checkMayEditContent } from '../editing/content-edit.ts';
import { channelReaders, checkSendsTyping, directReaders, typingEditStarted, typingEditStopped } from './typing.ts';

export const sendTypingEdit = defineOperation({
  name: 'typing.sendEdit',
  http: 'POST /messages/{message_id}/typing',
  summary: 'Show others that you started or stopped editing a message',
  description:
    'Sent only to users who want typing notifications. Sent to no user if there are more than 100 users. In a channel, only sent to event queues with the client capability `stream_typing_notifications`.',
  example: { message_id: 7, op: 'start' },
  access: 'user',
  effect: 'append',
  params: { message_id: id, op: choice(['start', 'stop']) },
  async run(context, { message_id, op }) {
    const { tx, actor, emit } = context;
    const message = await context.viewer.message(message_id, 'modify');
    checkMayEditContent(context, message);
    const { channel_id, topic } = message;
    checkSendsTyping(actor, channel_id === null ? 'direct messages' : 'channels');
    const typing = op === 'start' ? typingEditStarted : typingEditStopped;
    const event = { sender_id: actor.id, message_id };
    if (channel_id === null) {
      const user_ids = (await conversationOf(context, message)).participants;
      const users = await directReaders(context, await tx.users.byIds(user_ids));
      if (users.length > 0) emit({ users }, typing({ ...event, recipient: { type: 'direct', user_ids } }));
      return;
    }
    let users = await channelReaders(context, channel_id);
    if (!hasSharedHistory(await channelOf(context, channel_id))) {
      const missing = await tx.messages.notReceived(users, [message_id], channel_id);
      users = users.filter((user) => !missing.has(user));
    }
    if (users.length > 0) emit({ users }, typing({ ...event, recipient: { type: 'channel', channel_id, topic } }));
  },
});

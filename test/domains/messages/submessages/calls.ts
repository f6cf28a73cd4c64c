import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';
import { VOTE } from './widget-messages.ts';

export const matrix: PlainCalls = {
  'messages.addSubmessage': async ({ storage, users, messages }) => {
    const message_id = messages.vaultAfter;
    // A message of another user, so that each reader can add to it.
    await storage.write(async (tx) => {
      const sender_id = (await tx.messages.byId(message_id))?.sender_id ?? users.owner;
      const content = JSON.stringify({ widget_type: 'poll', extra_data: { question: '', options: ['soup'] } });
      await tx.submessages.add({ message_id, sender_id, msg_type: 'widget', content });
    });
    return { message_id, msg_type: 'widget', content: JSON.stringify(VOTE) };
  },
};

export const changes: Changes = { 'messages.addSubmessage': UNSEEN };

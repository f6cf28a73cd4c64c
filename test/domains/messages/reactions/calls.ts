import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.addReaction': ({ messages }) => ({ message_id: messages.harbour, emoji_name: 'tada' }),
  'messages.removeReaction': ({ messages }) => ({ message_id: messages.harbour, emoji_name: 'tada' }),
};

export const changes: Changes = {
  'messages.addReaction': UNSEEN,
  'messages.removeReaction': UNSEEN,
};

import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.addReaction': ({ messages }) => ({ message_id: messages.vaultAfter, emoji_name: 'tada' }),
  // Stored for the caller, since some callers cannot react.
  'messages.removeReaction': async ({ storage, users, messages }, caller) => {
    const message_id = messages.vaultAfter;
    const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' } as const;
    if (caller !== 'anonymous') {
      await storage.write((tx) => tx.reactions.add({ message_id, user_id: users[caller], ...tada }));
    }
    return { message_id, emoji_name: 'tada' };
  },
};

export const changes: Changes = {
  'messages.addReaction': UNSEEN,
  'messages.removeReaction': UNSEEN,
};

import type { PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.history': ({ messages }) => ({ message_id: messages.vaultAfter }),
};

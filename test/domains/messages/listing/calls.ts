import type { PlainCalls, ScalingCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.matchesNarrow': ({ messages }) => ({ msg_ids: [messages.harbour], narrow: [['channel', 'Harbour']] }),
  'messages.list': () => ({ anchor: 'newest', num_before: 1 }),
  'messages.get': ({ messages }) => ({ message_id: messages.harbour }),
};

export const statements: ScalingCalls = {
  'messages.list': {
    'of everything': ({ world }) => world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000 }),
    'of a channel': ({ world }) =>
      world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000, narrow: [['channel', 'Denmark']] }),
  },
};

import type { PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'messages.matchesNarrow': ({ messages }) => ({
    msg_ids: [messages.vaultAfter],
    narrow: [['channel', CHANNELS.protected]],
  }),
  'messages.list': () => ({ anchor: 'newest', num_before: 1, narrow: [['channel', CHANNELS.protected]] }),
  'messages.get': ({ messages }) => ({ message_id: messages.vaultAfter }),
};

export const statements: ScalingCalls = {
  'messages.list': {
    'of everything': ({ world }) => world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000 }),
    'of a channel': ({ world }) =>
      world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000, narrow: [['channel', 'Denmark']] }),
  },
};

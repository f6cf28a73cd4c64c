import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'defaultChannels.add': ({ channels }) => ({ stream_id: channels.quiet }),
  'defaultChannels.remove': ({ channels }) => ({ stream_id: channels.default }),
};

export const changes: Changes = {
  'defaultChannels.add': {
    'a default channel': ({ as, channels }) => as('owner').defaultChannels.add({ stream_id: channels.quiet }),
  },
  'defaultChannels.remove': {
    'a default channel removed': ({ as, channels }) =>
      as('owner').defaultChannels.remove({ stream_id: channels.default }),
  },
};

import type { Changes, PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'channelFolders.create': () => ({ name: 'Comedies' }),
};

export const changes: Changes = {
  'channelFolders.create': {
    'a folder': ({ as }) => as('owner').channelFolders.create({ name: 'Comedies' }),
  },
};

import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'channelFolders.create': () => ({ name: 'Comedies' }),
  'channelFolders.edit': ({ folders }) => ({ channel_folder_id: folders.plays, name: 'Dramas' }),
  'channelFolders.reorder': ({ folders }) => ({ order: [folders.oldPlays, folders.plays] }),
};

export const changes: Changes = {
  'channelFolders.create': {
    'a folder': ({ as }) => as('owner').channelFolders.create({ name: 'Comedies' }),
  },
  'channelFolders.edit': {
    'all properties of a folder': ({ as, folders }) =>
      as('owner').channelFolders.edit({
        channel_folder_id: folders.plays,
        name: 'Dramas',
        description: '*new*',
        is_archived: true,
      }),
  },
  'channelFolders.reorder': {
    'two folders': ({ as, folders }) =>
      as('owner').channelFolders.reorder({ order: [folders.oldPlays, folders.plays] }),
  },
};

export const stored: Stored = (tx) => tx.channels.folders();

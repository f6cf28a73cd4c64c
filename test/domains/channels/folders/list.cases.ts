import { cases } from '../../../world/case.ts';

export const listChannelFoldersCases = cases('channelFolders.list', [
  {
    name: 'the list has active folders',
    as: 'guest',
    call: ['channelFolders.list'],
    returns: ({ folders }) => ({ channel_folders: [{ id: folders.plays, name: 'Plays', is_archived: false }] }),
  },
  {
    name: 'include_archived adds archived folders',
    as: 'hamlet',
    call: ['channelFolders.list', { include_archived: true }],
    returns: ({ folders }) => ({
      channel_folders: [{ id: folders.plays }, { id: folders.oldPlays, is_archived: true }],
    }),
  },
]);

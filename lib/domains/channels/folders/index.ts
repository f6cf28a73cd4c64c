import { defineFeature } from '../../../operation/feature.ts';
import { createChannelFolder } from './create.ts';
import { editChannelFolder } from './edit.ts';
import { channelFolderAdded, channelFoldersReordered, channelFolderUpdated, channelFolderView } from './folder.ts';
import { listChannelFolders } from './list.ts';
import { reorderChannelFolders } from './reorder.ts';

/** Folders that group channels, the same for all users. A channel is in at most one folder. */
export const channelFolders = defineFeature({
  operations: [listChannelFolders, createChannelFolder, editChannelFolder, reorderChannelFolders],
  events: [channelFolderAdded, channelFolderUpdated, channelFoldersReordered],
  initialState: {
    channel_folders: async ({ context }) => ({
      channel_folders: (await context.tx.channels.folders()).map(channelFolderView),
    }),
  },
});

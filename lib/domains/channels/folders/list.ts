import * as v from 'valibot';
import { falseByDefault } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { channelFolderObject, channelFolderView } from './folder.ts';

export const listChannelFolders = defineOperation({
  name: 'channelFolders.list',
  http: 'GET /channel_folders',
  summary: 'List channel folders',
  access: 'user',
  params: { include_archived: falseByDefault('Include archived folders.') },
  result: v.object({ channel_folders: v.array(channelFolderObject) }),
  async run({ tx }, { include_archived }) {
    const folders = await tx.channels.folders();
    return {
      channel_folders: folders.filter((folder) => include_archived || !folder.is_archived).map(channelFolderView),
    };
  },
});

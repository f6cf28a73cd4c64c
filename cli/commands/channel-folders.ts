import { commands } from '../operations/metadata.ts';

export const channelFolders = commands('channelFolders', 'Folders that group channels', {
  create: { args: ['name'], defaults: { description: '' } },
});

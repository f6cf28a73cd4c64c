import { defineEvent } from '../../../kernel/define-event.ts';
import { channelFolderObject } from './view.ts';

export const channelFolderAdded = defineEvent('channel_folder/add', {
  summary: 'A folder for channels was created.',
  fields: { channel_folder: channelFolderObject },
});

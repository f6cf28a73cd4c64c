import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { channelFolderObject } from './view.ts';

export const channelFolderAdded = defineEvent('channel_folder/add', {
  summary: 'A channel folder was created.',
  fields: { channel_folder: channelFolderObject },
});

export const channelFolderUpdated = defineEvent('channel_folder/update', {
  summary: 'A channel folder was changed, archived or unarchived.',
  fields: {
    channel_folder_id: v.number(),
    data: describe(
      v.object({
        name: v.optional(v.string()),
        description: v.optional(v.string()),
        rendered_description: v.optional(v.string()),
        is_archived: v.optional(v.boolean()),
      }),
      'The fields that changed.',
    ),
  },
});

export const channelFoldersReordered = defineEvent('channel_folder/reorder', {
  summary: 'The order of the channel folders changed.',
  fields: { order: describe(v.array(v.number()), 'IDs of all folders in the new order.') },
});

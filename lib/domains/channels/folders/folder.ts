import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { ChannelFolder } from '../../../model/channels.ts';
import { fold } from '../../../rules/fold.ts';
import { checkedName, MAX_FOLDER_NAME_LENGTH } from '../../../rules/names.ts';

export const channelFolderObject = v.object({
  id: describe(v.number(), 'ID of the folder.'),
  name: describe(v.string(), 'Name of the folder.'),
  description: describe(v.string(), 'Markdown.'),
  rendered_description: v.string(),
  creator_id: v.nullable(v.number()),
  date_created: v.number(),
  is_archived: v.boolean(),
  order: describe(v.number(), 'Position among the folders, starting at 0.'),
});

export function channelFolderView({ created_ms, ...folder }: ChannelFolder): v.InferOutput<typeof channelFolderObject> {
  return { ...folder, date_created: Math.floor(created_ms / 1000) };
}

export const channelFolderAdded = defineEvent('channel_folder/add', {
  summary: 'A channel folder was created.',
  fields: { channel_folder: channelFolderObject },
});

export const channelFolderUpdated = defineEvent('channel_folder/update', {
  summary: 'A channel folder was changed, archived or unarchived. Contains the fields that changed.',
  fields: {
    channel_folder_id: v.number(),
    data: v.partial(v.pick(channelFolderObject, ['name', 'description', 'rendered_description', 'is_archived'])),
  },
});

export const channelFoldersReordered = defineEvent('channel_folder/reorder', {
  summary: 'The order of the channel folders changed.',
  fields: { order: describe(v.array(v.number()), 'IDs of all folders in the new order.') },
});

/** @param others the other folders; only archived folders may have the same name */
export function checkedFolderName(given: string, others: readonly ChannelFolder[]): string {
  const name = checkedName('The folder name', given, MAX_FOLDER_NAME_LENGTH);
  if (others.some((folder) => !folder.is_archived && fold(folder.name) === fold(name))) {
    throw new BadRequest(`A folder named "${name}" already exists.`);
  }
  return name;
}

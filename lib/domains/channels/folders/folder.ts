import * as v from 'valibot';
import type { ReadContext } from '../../../access/context.ts';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import type { ChannelFolder } from '../../../model/channels.ts';
import { unprintableAt } from '../../../rules/names.ts';
import { channelDescription } from '../channel-settings.ts';

export const channelFolderObject = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  rendered_description: v.string(),
  creator_id: v.nullable(v.number()),
  date_created: v.number(),
  is_archived: v.boolean(),
  order: v.number(),
});

export function channelFolderView({ created_ms, ...folder }: ChannelFolder): v.InferOutput<typeof channelFolderObject> {
  return { ...folder, date_created: Math.floor(created_ms / 1000) };
}

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

/** The folder with this ID, and all folders. Includes archived folders. */
export async function accessFolder({ tx }: Pick<ReadContext, 'tx'>, id: number) {
  const folders = await tx.channels.folders();
  const folder = folders.find((folder) => folder.id === id);
  if (!folder) throw new BadRequest(`There is no channel folder with ID ${id}.`);
  return { folder, folders };
}

/** @param others the other folders; only archived folders may have the same name */
export function checkedFolderName(given: string, others: readonly ChannelFolder[]): string {
  const name = given.trim();
  if (name === '') throw new BadRequest('A folder name cannot be empty.');
  if (unprintableAt(name) !== undefined) throw new BadRequest('A folder name cannot contain control characters.');
  if (others.some((folder) => !folder.is_archived && folder.name.toLowerCase() === name.toLowerCase())) {
    throw new BadRequest(`A folder named "${name}" already exists.`);
  }
  return name;
}

export function folderDescription({ organization }: Pick<ReadContext, 'organization'>, given: string) {
  const description = channelDescription(given);
  return { description, rendered_description: renderMarkdown(description, organization.linkifiers) };
}

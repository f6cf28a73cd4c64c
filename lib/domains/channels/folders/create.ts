import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText, optional, repeatable, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../../../rules/names.ts';
import { creatorId } from '../../../rules/roles.ts';
import { channelDescription } from '../channel-settings.ts';
import { channelFolderAdded, channelFolderView, checkedFolderName } from './folder.ts';

/** Every client loads all folders at start. */
const MAX_FOLDERS = 5_000;

export const createChannelFolder = defineOperation({
  name: 'channelFolders.create',
  http: 'POST /channel_folders/create',
  summary: 'Create a channel folder',
  description: 'Use the returned ID as `folder_id` of channels. Administrators only.',
  example: { name: 'Teams' },
  access: 'administrator',
  effect: 'write',
  params: {
    name: describe(nonEmptyText(MAX_FOLDER_NAME_LENGTH), 'Unique among folders that are not archived, ignoring case.'),
    description: optional(text(MAX_FOLDER_DESCRIPTION_LENGTH), 'Markdown, one line.', ''),
    ...repeatable,
  },
  result: v.object({ channel_folder_id: v.number() }),
  async run({ tx, organization, actor, now, emit }, given) {
    const folders = await tx.channels.folders();
    const name = checkedFolderName(given.name, folders);
    if (folders.length >= MAX_FOLDERS)
      throw new BadRequest(`An organization can have at most ${MAX_FOLDERS} folders, including archived folders.`);
    const id = await tx.channels.createFolder({
      name,
      ...channelDescription(given.description, organization.linkifiers),
      creator_id: creatorId(actor),
      created_ms: now,
      is_archived: false,
    });
    const created = (await tx.channels.folders()).find((folder) => folder.id === id);
    if (created) emit({ scope: 'everyone' }, channelFolderAdded({ channel_folder: channelFolderView(created) }));
    return { channel_folder_id: id };
  },
});

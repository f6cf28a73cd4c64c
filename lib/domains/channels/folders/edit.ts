import { BadRequest } from '../../../base/errors.ts';
import { flag, id, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import type { ChannelFolderPatch } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../../../rules/names.ts';
import { accessFolder, channelDescription } from '../channel-settings.ts';
import { channelFolderUpdated, checkedFolderName } from './folder.ts';

export const editChannelFolder = defineOperation({
  name: 'channelFolders.edit',
  http: 'PATCH /channel_folders/{channel_folder_id}',
  summary: 'Rename, describe, archive or unarchive a channel folder',
  description: 'A folder that contains channels cannot be archived. Administrators only.',
  example: { channel_folder_id: 2, name: 'Groups' },
  access: 'administrator',
  effect: 'write',
  params: {
    channel_folder_id: id,
    name: optional(nonEmptyText(MAX_FOLDER_NAME_LENGTH), 'Unique among folders that are not archived, ignoring case.'),
    description: optional(text(MAX_FOLDER_DESCRIPTION_LENGTH), 'Markdown, one line.'),
    is_archived: optional(flag, '`true` archives the folder, `false` unarchives it.'),
  },
  async run(context, { channel_folder_id, ...given }) {
    const { tx, organization, emit } = context;
    const { folder, folders } = await accessFolder(context, channel_folder_id);
    const { name, description, is_archived = folder.is_archived } = given;
    /** One change per event. */
    const changes: ChannelFolderPatch[] = [];
    const isRestored = folder.is_archived && !is_archived;
    // Another folder may have taken the name while this folder was archived.
    if ((name !== undefined && name.trim() !== folder.name) || isRestored) {
      const others = folders.filter((other) => other.id !== folder.id);
      const checked = checkedFolderName(name ?? folder.name, others);
      if (checked !== folder.name) changes.push({ name: checked });
    }
    const described = description === undefined ? undefined : channelDescription(description, organization.linkifiers);
    if (described && described.description !== folder.description) changes.push(described);
    if (is_archived !== folder.is_archived) {
      if (is_archived && (await tx.channels.hasAnyInFolder(folder.id))) {
        throw new BadRequest('This folder contains channels. Remove all channels first, including archived channels.');
      }
      changes.push({ is_archived });
    }
    for (const change of changes) {
      await tx.channels.updateFolder(folder.id, change);
      emit({ scope: 'everyone' }, channelFolderUpdated({ channel_folder_id: folder.id, data: change }));
    }
  },
});

import type { ReadContext } from '../../../access/context.ts';
import { BadRequest } from '../../../base/errors.ts';
import { flag, id, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { ChannelFolder, ChannelFolderPatch } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../../../rules/names.ts';
import { accessFolder, channelFolderUpdated, checkedFolderName, folderDescription } from './folder.ts';

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
    name: optional(text(MAX_FOLDER_NAME_LENGTH), 'Unique among folders that are not archived, ignoring case.'),
    description: optional(text(MAX_FOLDER_DESCRIPTION_LENGTH), 'Markdown, one line.'),
    is_archived: optional(flag, '`true` archives the folder, `false` unarchives it.'),
  },
  async run(context, { channel_folder_id, ...given }) {
    const { tx, emit } = context;
    const { folder, folders } = await accessFolder(context, channel_folder_id);
    for (const change of await plannedChanges(context, folder, folders, given)) {
      await tx.channels.updateFolder(folder.id, change);
      emit({ scope: 'everyone' }, channelFolderUpdated({ channel_folder_id: folder.id, data: change }));
    }
  },
});

type FolderChanges = Omit<ValuesOf<typeof editChannelFolder.params>, 'channel_folder_id'>;

/** Checks the given values and returns those that differ from the stored folder: one change per event. */
async function plannedChanges(
  context: ReadContext,
  folder: ChannelFolder,
  folders: readonly ChannelFolder[],
  { name, description, is_archived = folder.is_archived }: FolderChanges,
): Promise<ChannelFolderPatch[]> {
  const changes: ChannelFolderPatch[] = [];
  const others = folders.filter((other) => other.id !== folder.id);
  const isRestored = folder.is_archived && !is_archived;
  // Another folder may have taken the name while this folder was archived.
  if ((name !== undefined && name.trim() !== folder.name) || isRestored) {
    const checked = checkedFolderName(name ?? folder.name, others);
    if (checked !== folder.name) changes.push({ name: checked });
  }
  const text = description === undefined ? undefined : folderDescription(context, description);
  if (text && text.description !== folder.description) changes.push(text);
  if (is_archived !== folder.is_archived) {
    if (is_archived) await checkUnused(context, folder);
    changes.push({ is_archived });
  }
  return changes;
}

async function checkUnused({ tx }: ReadContext, folder: ChannelFolder): Promise<void> {
  const isUsed = await tx.channels.hasAnyInFolder(folder.id);
  if (isUsed)
    throw new BadRequest(
      'This folder contains channels. Remove all channels from it first, including archived channels.',
    );
}

import { commands } from '../operations/metadata.ts';

const folder = { parameter: 'channel_folder_id', label: 'FOLDER' } as const;

export const channelFolders = commands('channelFolders', 'Folders that group channels', {
  list: { columns: { channel_folders: ['id', 'name', 'is_archived', 'description'] }, empty: 'There are no folders.' },
  create: {
    args: ['name'],
    defaults: { description: '' },
    done: ({ parameters, answer }) =>
      `Created the folder "${parameters.name.trim()}" (ID ${answer.channel_folder_id}).`,
    examples: ['channel-folders create Teams', 'channels edit general --folder-id Teams'],
  },
  edit: {
    args: [folder],
    before: async ({ session, parameters }) => {
      const { channel_folders } = await session.channelFolders.list({ include_archived: true });
      const id = parameters.channel_folder_id;
      const before = channel_folders.find((one) => one.id === id);
      const { name = before?.name ?? '', description, is_archived } = parameters;
      const archives = is_archived === undefined || is_archived === before?.is_archived ? undefined : is_archived;
      const isChanged =
        archives !== undefined ||
        name.trim() !== before?.name ||
        (description !== undefined && description !== before?.description);
      const done = archives === undefined ? 'Changed' : archives ? 'Archived' : 'Unarchived';
      return () => (isChanged ? `${done} the folder "${name.trim()}".` : `Nothing to change for the folder "${name}".`);
    },
    examples: ['channel-folders edit Teams --name Groups', 'channel-folders edit Teams --is-archived'],
  },
  reorder: {
    args: [{ parameter: 'order', label: 'FOLDER' }],
    parsers: { order: 'folders' },
    done: ({ parameters }) => `Reordered ${parameters.order.length} folders.`,
    examples: ['channel-folders reorder Teams Projects'],
  },
});

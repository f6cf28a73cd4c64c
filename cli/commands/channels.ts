import type { Session } from '../../lib/index.ts';
import { channelNames, namesAndAddresses, withHolderNames } from '../lookups.ts';
import { kebab } from '../names.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { details, oneLine } from '../output/text.ts';

export const channels = commands('channels', 'Channels and their settings', {
  list: {
    columns: { streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'] },
    empty({ parameters }) {
      const given = Object.entries(parameters).map(([name, value]) => `--${value ? '' : 'no-'}${kebab(name)}`);
      return `No channels found${given.length === 0 ? '' : ` with ${given.join(' ')}`}.`;
    },
  },
  get: {
    args: ['stream_id'],
    done: async ({ session, answer: { stream }, terminal }) =>
      details(await withHolderNames(session, stream), terminal),
  },
  getId: { args: [{ parameter: 'stream', label: 'NAME' }] },
  create: {
    args: ['name'],
    defaults: { subscribers: [] },
    done({ parameters: { name, subscribers }, answer: { id } }) {
      const readers = [...new Set(subscribers)].length;
      const count = readers === 0 ? 'no subscribers' : readers === 1 ? '1 subscriber' : `${readers} subscribers`;
      return `Created the channel "${oneLine(name.trim())}" (ID ${id}) with ${count}.`;
    },
    examples: [
      'channels create general --subscribers ada@example.com,ben@example.com',
      'channels create board --invite-only',
    ],
  },
  edit: {
    args: ['stream_id'],
    async before({ session, parameters: { stream_id, ...change } }) {
      const name = await nameOf(session, stream_id);
      return async () => {
        const what = Object.keys(change);
        if (what.length === 0) return `Nothing to change for ${name}.`;
        const now = change.new_name === undefined ? name : await nameOf(session, stream_id);
        return `Changed ${name}: ${what.join(', ')}.${name === now ? '' : ` Its new name is ${now}.`}`;
      };
    },
    examples: [
      'channels edit general --description "Company news"',
      'channels edit general --can-send-message-group role:moderators',
    ],
    variants: {
      unarchive: {
        summary: 'Unarchive a channel',
        args: ['stream_id'],
        defaults: { is_archived: false },
        only: ['stream_id'],
        done: async ({ session, parameters: { stream_id } }) =>
          `Unarchived the channel ${await nameOf(session, stream_id)}.`,
      },
    },
  },
  archive: {
    args: ['stream_id'],
    confirm: 'Archive this channel?',
    async before({ session, parameters }) {
      const name = await nameOf(session, parameters.stream_id);
      return () => `Archived the channel ${name}.`;
    },
    examples: ['channels archive lunch', 'channels archive lunch --dry-run'],
  },
  subscribers: {
    args: ['stream_id'],
    async done({ session, answer: { subscribers } }) {
      const name = await namesAndAddresses(session, subscribers);
      return subscribers.map(name).join('\n');
    },
    empty: async ({ session, parameters }) =>
      `The channel ${await nameOf(session, parameters.stream_id)} has no subscribers.`,
  },
});

async function nameOf(session: Session, id: number): Promise<string> {
  return `"${(await channelNames(session, [id]))(id)}"`;
}

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

export const defaultChannels = commands('defaultChannels', 'Channels for new users', {
  add: {
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New users will be subscribed to ${await nameOf(session, id)}.`,
  },
  remove: {
    undo: 'default-channels add',
    args: ['stream_id'],
    done: async ({ session, parameters: { stream_id: id } }) =>
      `New users will no longer be subscribed to ${await nameOf(session, id)}.`,
  },
});

export const topics = commands('topics', 'Topics of channels', {
  list: {
    args: ['stream_id'],
    columns: { topics: ['name', ['max_id', 'NEWEST']] },
    async empty({ session, parameters: { stream_id } }) {
      return `There are no topics in ${await nameOf(session, stream_id)}.`;
    },
  },
  delete: {
    args: ['stream_id', { parameter: 'topic_name', label: 'TOPIC' }],
    confirm: 'Delete this topic and all its messages permanently?',
    async before({ session, parameters, terminal }) {
      const { stream_id, topic_name } = parameters;
      const channel = (await channelNames(session, [stream_id]))(stream_id);
      const place = channelPlace(channel, topic_name);
      const { topics: present } = await session.topics.list({ stream_id }).catch(() => ({ topics: undefined }));
      const isThere = present?.some(({ name }) => name.toLowerCase() === topic_name.trim().toLowerCase()) ?? true;
      return async ({ complete }) => {
        for (let isDone = complete; !isDone; ) {
          terminal.err(`Still deleting "${place}" ...`);
          isDone = (await session.topics.delete(parameters)).complete;
        }
        return isThere ? `Deleted the topic "${place}".` : `Nothing to delete: "${place}" has no messages.`;
      };
    },
    examples: ['topics delete general "old plans"', 'topics delete general "old plans" --yes'],
  },
});

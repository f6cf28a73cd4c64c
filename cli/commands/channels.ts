import { Failure, UsageError } from '../failure.ts';
import { accountNames, channelName, fold, lookupsIn, withHolderNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { counted, details, oneLine } from '../output/text.ts';
import { connectedCommand, withSession } from './local-command.ts';

const CHANNEL_COLUMNS = {
  streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'],
} as const;

export const channels = commands('channels', 'Channels and their settings', {
  list: { columns: CHANNEL_COLUMNS },
  search: {
    args: ['query'],
    columns: CHANNEL_COLUMNS,
    empty: 'No channel matches.',
    examples: ['channels search gen'],
  },
  get: {
    done: async ({ session, answer: { stream }, terminal }) =>
      details(await withHolderNames(session, stream), terminal),
  },
  getEmailAddress: { done: 'The channel {channel stream_id} has no e-mail address.' },
  getId: { args: [{ parameter: 'stream', label: 'NAME' }] },
  create: {
    args: ['name'],
    defaults: { subscribers: [] },
    examples: [
      'channels create general --users ada@example.com,ben@example.com',
      'channels create board --invite-only',
    ],
    done({ parameters: { name, subscribers }, answer: { id } }) {
      const readers = [...new Set(subscribers)].length;
      const count = readers === 0 ? 'no subscribers' : counted(readers, 'subscriber');
      return `Created the channel "${oneLine(name.trim())}" (ID ${id}) with ${count}.`;
    },
  },
  edit: {
    done: 'Changed {channel stream_id}: {changes}.',
    examples: [
      'channels edit general --description "Company news"',
      'channels edit general --can-send-message-group role:moderators',
    ],
    variants: {
      unarchive: {
        summary: 'Unarchive a channel',
        args: ['stream_id'],
        defaults: { is_archived: false },
        async alreadyDone({ session, parameters: { stream_id } }) {
          const { stream } = await session.channels.get({ stream_id });
          return stream.is_archived ? undefined : `The channel "${oneLine(stream.name)}" is not archived.`;
        },
        done: 'Unarchived the channel {channel stream_id}.',
      },
    },
  },
  archive: {
    confirm: 'Archive the channel {channel stream_id}?',
    repeat: /^The channel ".*" is archived\.$/,
    done: 'Archived the channel {channel stream_id}.',
  },
  subscribers: {
    done: async ({ session, answer: { subscribers } }) =>
      subscribers.map(await accountNames(session, subscribers)).join('\n'),
    empty: 'The channel {channel stream_id} has no subscribers.',
  },
});

export const channelFolders = commands('channelFolders', 'Folders that group channels', {
  list: { columns: { channel_folders: ['id', 'name', 'is_archived', 'description'] } },
  create: {
    args: ['name'],
    defaults: { description: '' },
    done: 'Created the folder "{name}" (ID {channel_folder_id}).',
  },
  edit: {
    done: 'Changed the folder {folder channel_folder_id}: {changes}.',
    examples: ['channel-folders edit Teams --name Groups', 'channel-folders edit Teams --is-archived'],
  },
  reorder: {
    args: ['order'],
    parsers: { order: 'folders' },
    done: 'Reordered the folders.',
    examples: ['channel-folders reorder Teams Projects'],
  },
});

export const defaultChannels = commands('defaultChannels', 'Channels for new users', {
  add: { args: ['stream_id'], done: 'New users will be subscribed to {channel stream_id}.' },
  remove: {
    undo: 'default-channels add',
    args: ['stream_id'],
    done: 'New users will no longer be subscribed to {channel stream_id}.',
  },
});

type MoveFlags = { topic?: string; toChannel?: string; dryRun?: boolean };

const moveTopic = connectedCommand<MoveFlags>('move', {
  summary: 'Rename a topic, or move it to another channel',
  args: [
    ['<channel>', 'name or ID of the channel'],
    ['<topic>', 'name of the topic'],
  ],
  options: [
    ['--topic <text>', 'new name of the topic (default: the same)'],
    ['--to-channel <channel>', 'channel to move it to (default: the same)'],
    ['--dry-run', 'change nothing; show what would move'],
  ],
  examples: ['topics move general lunch --topic "team lunch"', 'topics move general lunch --to-channel kitchen'],
  notes: ['Moves all messages of the topic: `messages edit` with --propagate-mode all.'],
  async run({ args: [channel = '', from = ''], options, print }) {
    const { topic, toChannel, dryRun = false } = options;
    if (topic === undefined && toChannel === undefined)
      throw new UsageError('Nothing to change.', 'Use --topic, --to-channel or both.');
    await withSession(options, async (session) => {
      const lookups = lookupsIn(session);
      const stream_id = await lookups.id('channel', channel);
      const { topics: present } = await session.topics.list({ stream_id, allow_empty_topic_name: true });
      const found = present.find(({ name }) => fold(name) === fold(from));
      const place = channelPlace(await channelName(session, stream_id), found?.name ?? from);
      if (!found)
        throw new Failure(`There is no topic "${place}".`, `\`chatctl topics list ${stream_id}\` shows them.`);
      const target = toChannel === undefined ? undefined : await lookups.id('channel', toChannel);
      const edit = {
        message_id: found.max_id,
        propagate_mode: 'change_all' as const,
        ...(topic !== undefined && { topic }),
        ...(target !== undefined && { stream_id: target }),
      };
      if (dryRun) await session.dryRun.messages.edit(edit);
      else await session.messages.edit(edit);
      const to = channelPlace(await channelName(session, target ?? stream_id), topic ?? found.name);
      const sentence = dryRun ? `Dry run: nothing was changed. Would move "${place}"` : `Moved "${place}"`;
      print({ message_id: found.max_id, dry_run: dryRun }, `${sentence} to "${to}".`);
    });
  },
});

export const topics = commands(
  'topics',
  'Topics of channels',
  {
    list: { columns: { topics: ['name', ['max_id', 'NEWEST']] }, empty: 'There are no topics in {channel stream_id}.' },
    delete: {
      args: ['stream_id', { parameter: 'topic_name', label: 'TOPIC' }],
      confirm: 'Delete the topic {place stream_id} and all its messages permanently?',
      async before({ session, parameters, terminal }) {
        const { stream_id, topic_name } = parameters;
        const place = channelPlace(await channelName(session, stream_id), topic_name);
        const { topics: present } = await session.topics.list({ stream_id }).catch(() => ({ topics: undefined }));
        const isThere = present?.some(({ name }) => fold(name) === fold(topic_name)) ?? true;
        return async ({ complete }) => {
          for (let isDone = complete; !isDone; ) {
            terminal.err(`Still deleting "${place}" ...`);
            isDone = (await session.topics.delete(parameters)).complete;
          }
          return isThere ? `Deleted the topic "${place}".` : `Nothing to delete: "${place}" has no messages.`;
        };
      },
    },
  },
  moveTopic,
);

import type { Reading } from '../arguments/parsers.ts';

/**
 * The human words: what people may write where the wire wants ids, numbers and JSON. Everything else
 * about a command follows from its operation.
 */
export interface Words {
  /** Shorter words for the command, beside the one its operation gives it. */
  aliases?: readonly string[];
  /** Parameters given by position; the last one takes the rest when it is a list. */
  positional?: readonly { parameter: string; label: string }[];
  readings?: Readonly<Record<string, Reading>>;
  /** Further flags for a parameter. */
  flags?: Readonly<Record<string, string>>;
  /** Read from stdin when it is not given, unless one of `enough` is given instead. */
  fromStdin?: string;
  enough?: readonly string[];
  /** On a terminal, what `fromStdin` names is the present text, opened in an editor. */
  opensEditor?: boolean;
  /** Asked on a terminal before it is done; `--yes` answers. */
  confirms?: string;
  /** `--to` takes a channel or people, and `type` follows from what is given. `ids`: where only ids are understood. */
  recipients?: 'names' | 'ids';
  /** Options such as `--channel` and `--search` make the narrow. */
  narrows?: boolean;
  /** Taken when the parameter is left out. */
  preset?: Readonly<Record<string, unknown>>;
  /** Likewise, but only for people's eyes. */
  presetForPeople?: Readonly<Record<string, unknown>>;
  examples?: readonly string[];
}

/** How a parameter of this name is understood in every operation. */
export const READINGS: Readonly<Record<string, Reading>> = {
  stream_id: 'channel',
  user_id: 'user',
  user_ids: 'users',
  subscribers: 'users',
  principals: 'users',
  role: 'role',
  new_stream_announcements_stream_id: 'channel',
  message_content_delete_limit_seconds: 'duration',
  message_content_edit_limit_seconds: 'duration',
  move_messages_between_streams_limit_seconds: 'duration',
  move_messages_within_stream_limit_seconds: 'duration',
};

const user = [{ parameter: 'user_id', label: 'USER' }];
const channel = [{ parameter: 'stream_id', label: 'CHANNEL' }];
const message = [{ parameter: 'message_id', label: 'MESSAGE_ID' }];
const filter = [{ parameter: 'filter_id', label: 'LINKIFIER_ID' }];
const linkifier = [
  { parameter: 'pattern', label: 'PATTERN' },
  { parameter: 'url_template', label: 'URL_TEMPLATE' },
];
const bot = [{ parameter: 'bot_id', label: 'BOT' }];
const emoji = { parameter: 'emoji_name', label: 'EMOJI' };
const asEmoji: Readonly<Record<string, Reading>> = { emoji_name: 'emoji' };
const asBot: Readonly<Record<string, Reading>> = { bot_id: 'user' };

export const WORDS: Readonly<Record<string, Words>> = {
  'users.create': {
    positional: [{ parameter: 'email', label: 'EMAIL' }],
    examples: ['users create ben@example.com --full-name "Ben Ngo" --password-stdin < password.txt'],
  },
  'users.get': { positional: user, examples: ['users get ben@example.com', 'users get 9 --json'] },
  'users.getByEmail': { positional: [{ parameter: 'email', label: 'EMAIL' }] },
  'users.deactivate': { positional: user, confirms: 'Deactivate this account and the bots it owns?' },
  'users.deactivateMe': { confirms: 'Deactivate your own account?' },
  'users.reactivate': { positional: user },
  'bots.create': { examples: ['bots create --full-name "Build Bot" --short-name build'] },
  'bots.deactivate': { positional: bot, readings: asBot, confirms: 'Deactivate this bot?' },
  'bots.getApiKey': { positional: bot, readings: asBot },
  'bots.regenerateApiKey': { positional: bot, readings: asBot },
  'channels.create': {
    positional: [{ parameter: 'name', label: 'NAME' }],
    preset: { subscribers: [] },
    examples: [
      'channels create general --subscribers ada@example.com,ben@example.com',
      'channels create board --invite-only',
    ],
  },
  'channels.get': { positional: channel, examples: ['channels get general'] },
  'channels.getId': { positional: [{ parameter: 'stream', label: 'NAME' }] },
  'channels.edit': {
    positional: channel,
    examples: [
      'channels edit general --description "News for everybody"',
      'channels edit general --can-send-message-group role:moderators',
    ],
  },
  'channels.archive': { positional: channel, confirms: 'Archive this channel?' },
  'channels.subscribers': { positional: channel },
  'defaultChannels.add': { positional: channel },
  'defaultChannels.remove': { positional: channel },
  'channelFolders.create': { positional: [{ parameter: 'name', label: 'NAME' }], preset: { description: '' } },
  'playgrounds.create': {
    positional: [{ parameter: 'name', label: 'NAME' }],
    examples: [
      "playgrounds create 'Rust playground' --pygments-language Rust --url-template 'https://play.example.com/?code={code}'",
    ],
  },
  'playgrounds.remove': { positional: [{ parameter: 'playground_id', label: 'PLAYGROUND_ID' }] },
  'linkifiers.create': {
    positional: [...linkifier],
    examples: ["linkifiers create '#(?P<id>[0-9]+)' 'https://issues.example.com/{id}'"],
  },
  'linkifiers.edit': { positional: [...filter, ...linkifier] },
  'linkifiers.remove': { positional: filter },
  'linkifiers.reorder': { positional: [{ parameter: 'ordered_linkifier_ids', label: 'LINKIFIER_ID' }] },
  'topics.list': { positional: channel, examples: ['topics list general'] },
  'subscriptions.add': {
    positional: [{ parameter: 'subscriptions', label: 'CHANNEL' }],
    readings: { subscriptions: 'named objects' },
    examples: ['subscriptions add general lunch', 'subscriptions add general --principals ben@example.com'],
  },
  'subscriptions.remove': {
    positional: [{ parameter: 'subscriptions', label: 'CHANNEL' }],
    examples: ['subscriptions remove lunch', 'subscriptions remove lunch --principals ben@example.com'],
  },
  'messages.send': {
    recipients: 'names',
    // Whoever types it has read it; servers cannot know that of every program.
    preset: { read_by_sender: true },
    fromStdin: 'content',
    flags: { content: '-m, --message <text>' },
    examples: [
      'messages send --to general --topic lunch -m "Soup today"',
      'messages send --to ben@example.com,cleo@example.com -m "A word with you two"',
      'messages send --to general --topic builds < report.md',
    ],
  },
  'messages.list': {
    narrows: true,
    preset: { anchor: 'newest', num_before: 20, num_after: 0 },
    presetForPeople: { apply_markdown: false },
    examples: ['messages list --channel general --topic lunch', 'messages list --num-before 100 --json'],
  },
  'messages.get': { positional: message, presetForPeople: { apply_markdown: false } },
  'messages.updateFlags': {
    positional: [{ parameter: 'messages', label: 'MESSAGE_ID' }],
    examples: ['messages update-flags 7 8 --op add --flag starred'],
  },
  'messages.updateFlagsNarrow': {
    narrows: true,
    preset: { anchor: 'newest', num_before: 1_000, num_after: 0 },
    examples: ['messages update-flags-narrow --channel general --topic lunch --op add --flag read'],
  },
  'messages.markChannelRead': { positional: channel },
  'messages.markTopicRead': { positional: [...channel, { parameter: 'topic_name', label: 'TOPIC' }] },
  'messages.edit': {
    positional: message,
    fromStdin: 'content',
    enough: ['topic', 'stream_id'],
    opensEditor: true,
    flags: { content: '-m, --message <text>', stream_id: '--to-channel <channel>' },
    readings: { propagate_mode: 'reach of a move' },
    examples: [
      'messages edit 7 -m "Soup tomorrow"',
      'messages edit 7    # in your editor: $VISUAL or $EDITOR',
      'messages edit 7 --to-channel kitchen --topic menu --propagate-mode all',
    ],
  },
  'messages.delete': { positional: message, confirms: 'Delete this message for good?' },
  'messages.history': { positional: message, examples: ['messages history 7'] },
  'messages.readReceipts': { positional: message },
  'messages.render': {
    fromStdin: 'content',
    flags: { content: '-m, --message <text>' },
    examples: ['messages render -m "It **works**."'],
  },
  'messages.addReaction': {
    aliases: ['react'],
    positional: [...message, emoji],
    readings: asEmoji,
    examples: ['messages react 7 👍', 'messages react 7 tada'],
  },
  'messages.removeReaction': {
    aliases: ['unreact'],
    positional: [...message, emoji],
    readings: asEmoji,
    examples: ['messages unreact 7 👍'],
  },
  'customEmoji.upload': {
    positional: [
      { parameter: 'emoji_name', label: 'NAME' },
      { parameter: 'file', label: 'FILE' },
    ],
    examples: ['custom-emoji upload gruel ./gruel.png'],
  },
  'customEmoji.deactivate': { positional: [{ parameter: 'emoji_name', label: 'NAME' }] },
  'settings.edit': {
    readings: { email_notifications_batching_period_seconds: 'duration' },
    examples: [
      'settings edit --full-name "Ada King"',
      'settings edit --translate-emoticons --timezone Europe/Copenhagen',
      'settings edit --no-send-read-receipts',
    ],
  },
  'organization.edit': {
    examples: [
      'organization edit --message-content-edit-limit-seconds 1h',
      'organization edit --can-create-public-channel-group role:moderators',
    ],
  },
};

import type { DryRun, Session } from '../../lib/index.ts';
import { resolveToggle } from '../../lib/internal.ts';
import { channelName, channelNames, findMessage, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { conversation, destination, formatEmoji, type Message } from '../output/conversation.ts';
import { counted, sanitize, tableOf } from '../output/text.ts';

export const messages = commands('messages', 'Messages, reactions and history', {
  send: {
    recipients: 'names',
    // A user who types a message has read it. Zulip marks it as read only for some clients.
    defaults: { read_by_sender: true },
    stdin: { parameter: 'content' },
    async done({ session, answer: { id } }) {
      // Read back, because the server may have shortened the topic.
      const message = await findMessage(session, id);
      return `Sent message ${id}${message === undefined ? '' : ` to ${destination(message)}`}.`;
    },
    examples: [
      'messages send --to general --topic lunch -m "Soup today"',
      'messages send --to general --topic builds < report.md',
    ],
  },
  list: {
    narrowOptions: true,
    defaults: { anchor: 'newest', num_before: 20, num_after: 0 },
    defaultsForPeople: { apply_markdown: false },
    done: ({ answer, terminal }) => conversation(answer.messages, terminal),
    empty: ({ parameters: { anchor, num_after } }) =>
      anchor === 'oldest' && !num_after
        ? 'There are no messages before the oldest message. Use --num-after to list messages after it.'
        : undefined,
    examples: [
      'messages list --channel general --topic lunch',
      `messages list --narrow '[["channels","public"],["search","soup"]]'`,
    ],
  },
  get: {
    defaultsForPeople: { apply_markdown: false },
    done: ({ answer, terminal }) => conversation([answer.message], terminal),
  },
  edit: {
    parsers: { propagate_mode: 'propagate mode' },
    stdin: { parameter: 'content', unless: ['topic', 'stream_id'], editor: true },
    flags: { stream_id: '--to-channel <channel>' },
    async before({ session, parameters }) {
      const { message_id } = parameters;
      const old = await findMessage(session, message_id);
      return async (_answer, dryRun) => {
        const present = dryRun ? old && (await asEdited(session, old, dryRun)) : await findMessage(session, message_id);
        if (old === undefined || present === undefined) return `Changed message ${message_id}.`;
        return editSentence(old, present, parameters);
      };
    },
    examples: [
      'messages edit 7 -m "Soup tomorrow"',
      'messages edit 7 --to-channel kitchen --topic menu --propagate-mode all',
    ],
  },
  delete: { confirm: 'Delete this message permanently?' },
  history: {
    async done({ answer, parameters, ...call }) {
      // Loaded here because comparing texts needs the whole library.
      const { messageHistory } = await import('../output/history.ts');
      return messageHistory(answer.message_history, parameters.message_id, call);
    },
  },
  updateFlags: {
    args: [{ parameter: 'messages', label: 'MESSAGE_ID' }],
    async done({ session, parameters, answer }) {
      const { messages, ignored_because_not_subscribed_channels: ignored } = answer;
      const done = flagSentence(parameters, counted(messages.length, 'message'), await exception(session, ignored));
      // The response omits messages that do not exist or that the user cannot read.
      const missing = new Set(parameters.messages).size - messages.length;
      const left = missing <= 0 ? [] : [`Skipped ${counted(missing, 'message')} that you cannot read.`];
      return done && [done, ...left].join('\n');
    },
  },
  updateFlagsNarrow: {
    narrowOptions: true,
    defaults: { anchor: 'newest', num_before: 1_000, num_after: 0 },
    async done({ session, parameters, answer }) {
      const { updated_count, processed_count, last_processed_id, found_newest } = answer;
      const except = await exception(session, answer.ignored_because_not_subscribed_channels);
      const done = flagSentence(parameters, `${updated_count} of ${counted(processed_count, 'message')}`, except);
      const isMore = Number(parameters.num_after) > 0 && found_newest === false;
      const more = isMore ? [`There are more messages. Continue with --anchor ${last_processed_id}.`] : [];
      return done && [done, ...more].join('\n');
    },
    examples: ['messages update-flags-narrow --channel general --topic lunch --op add --flag read'],
  },
  markAllRead: {
    async done({ session, answer: { complete }, terminal }) {
      // Each request marks messages for a limited time and reports whether it finished.
      for (let isDone = complete; isDone === false; ) {
        terminal.err('Still marking as read ...');
        isDone = (await session.messages.markAllRead()).complete;
      }
      return 'Marked everything as read.';
    },
  },
  markChannelRead: { args: ['stream_id'], done: 'Marked everything in {channel stream_id} as read.' },
  markTopicRead: {
    args: ['stream_id', { parameter: 'topic_name', label: 'TOPIC' }],
    done: 'Marked everything in {place stream_id} as read.',
  },
  matchesNarrow: {
    args: ['msg_ids'],
    done: ({ answer }) => Object.keys(answer.messages).join('\n'),
    empty: 'The narrow matches none of the messages {msg_ids}.',
    examples: ['messages matches-narrow 7 8 --narrow \'[["search","soup"]]\''],
  },
  readReceipts: {
    done: async ({ session, answer: { user_ids } }) => user_ids.map(await userNames(session, user_ids)).join('\n'),
    empty: 'No other user has read message {message_id}.',
  },
  render: { stdin: { parameter: 'content' }, done: ({ answer: { rendered } }) => sanitize(rendered) },
  addReaction: {
    aliases: ['react'],
    repeat: /^You have reacted/,
    examples: ['messages react 7 👍', 'messages react 7 tada'],
    args: ['message_id', 'emoji_name'],
    parsers: { emoji_name: 'emoji' },
    done: async ({ session, parameters }) =>
      `Reacted to message ${parameters.message_id} with ${await reactedEmoji(session, parameters)}.`,
  },
  removeReaction: {
    undo: 'messages add-reaction',
    aliases: ['unreact'],
    repeat: /^You have not reacted/,
    examples: ['messages unreact 7 👍'],
    args: ['message_id', 'emoji_name'],
    parsers: { emoji_name: 'emoji' },
    async before({ session, parameters }) {
      // Looked up before the call, because the message may not have the emoji afterwards.
      const emoji = await reactedEmoji(session, parameters);
      return () => `Removed ${emoji} from message ${parameters.message_id}.`;
    },
  },
  report: { args: ['message_id', 'report_type'], done: 'Reported message {message_id}.' },
  addSubmessage: {
    args: ['message_id', { parameter: 'content', label: 'CHANGE' }],
    done: 'Added to message {message_id}.',
    examples: [`messages add-submessage 7 '{"type":"vote","key":"canned,0","vote":1}'`],
  },
});

export const reports = commands('reports', 'Reports of messages, for moderators', {
  list: {
    async done({ session, answer: { reports: all, found_oldest }, terminal }) {
      const name = await userNames(
        session,
        all.flatMap(({ sender_id, reporter_id }) => [sender_id, reporter_id]),
      );
      const shown = tableOf(all, terminal, {
        ID: 'id',
        TIME: 'timestamp',
        REPORTER: ({ reporter_id }) => name(reporter_id),
        REASON: 'report_type',
        DESCRIPTION: 'description',
        MESSAGE: 'message_id',
        SENDER: ({ sender_id }) => name(sender_id),
        TEXT: 'content',
        ...(all.some(({ outcome }) => outcome !== null) && { OUTCOME: 'outcome' as const }),
      });
      const last = all.at(-1);
      const more = !found_oldest && last ? [`There are more reports. Continue with --before-id ${last.id}.`] : [];
      return [shown, ...more].join('\n');
    },
    empty: ({ parameters: { status } }) => `There are no ${status ?? 'open'} reports.`,
    examples: ['reports list', 'reports list --status resolved --json'],
  },
  resolve: {
    args: ['report_id', 'outcome'],
    repeat: /already resolved/,
    done: 'Resolved report {report_id}.',
    examples: ['reports resolve 3 "Deleted the message."'],
  },
});

type Edited = { content?: string; subject?: string; new_stream_id?: number };

async function asEdited(session: Session, old: Message, { events }: DryRun): Promise<Message> {
  const event = events.find(({ type }) => type === 'update_message')?.event as Edited | null | undefined;
  const { content = old.content, subject = old.subject, new_stream_id: stream_id } = event ?? {};
  if (stream_id === undefined) return { ...old, content, subject };
  return { ...old, content, subject, stream_id, display_recipient: await channelName(session, stream_id) };
}

/** Compares the message before and after the edit, because the response does not say what changed. */
function editSentence(old: Message, present: Message, edit: { content?: unknown; propagate_mode?: unknown }): string {
  const { id } = present;
  const sentences = [
    ...(edit.content === undefined
      ? []
      : [`Edited message ${id}${old.content === present.content ? ': the text is the same' : ''}.`]),
    ...(destination(old) === destination(present) ? [] : [moveSentence(old, present, edit.propagate_mode)]),
  ];
  return sentences.length === 0 ? `Nothing to change: message ${id} is already like that.` : sentences.join('\n');
}

function moveSentence(old: Message, present: Message, propagateMode: unknown): string {
  const { id } = present;
  const resolved = old.stream_id === present.stream_id && resolveToggle(old.subject, present.subject);
  if (resolved && propagateMode === 'change_all') return `Marked the topic ${destination(present)} as ${resolved}.`;
  const others = { change_all: ' with its whole topic', change_later: ' and the later ones of its topic' };
  const which = others[propagateMode as keyof typeof others] ?? '';
  return `Moved message ${id}${which} from ${destination(old)} to ${destination(present)}.`;
}

const FLAG_CHANGES: Readonly<Record<string, (which: string) => string>> = {
  'add read': (which) => `Marked ${which} as read`,
  'remove read': (which) => `Marked ${which} as unread`,
  'add starred': (which) => `Starred ${which}`,
  'remove starred': (which) => `Unstarred ${which}`,
  'add collapsed': (which) => `Collapsed ${which}`,
  'remove collapsed': (which) => `Expanded ${which}`,
};

function flagSentence({ op, flag }: { op: string; flag: string }, which: string, exception: string) {
  const done = FLAG_CHANGES[`${op} ${flag}`]?.(which);
  return done && `${done}${exception}.`;
}

/** Messages in channels without a subscription cannot be marked as unread. */
async function exception(session: Session, ids: readonly number[] = []): Promise<string> {
  if (ids.length === 0) return '';
  const name = await channelNames(session, ids);
  return `, except in ${ids.map((id) => `"${name(id)}"`).join(', ')}, where you are not subscribed`;
}

/** The emoji as the message shows it. Only the message has its character. */
async function reactedEmoji(session: Session, reaction: { message_id: number; emoji_name?: string | undefined }) {
  const reactions = (await findMessage(session, reaction.message_id))?.reactions ?? [];
  const { emojiNameOf } = await import('../../lib/internal.ts');
  const name = String(reaction.emoji_name);
  // The message may use another name of the same emoji.
  const canonical = emojiNameOf(name) ?? name;
  const found =
    reactions.find(({ emoji_name }) => emoji_name === name) ??
    reactions.find(({ emoji_name }) => emojiNameOf(emoji_name) === canonical);
  return found ? formatEmoji(found) : `:${name}:`;
}

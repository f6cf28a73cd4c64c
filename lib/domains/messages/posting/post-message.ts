import * as v from 'valibot';
import { allInOrder } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { choice, describe, flag, forPrograms, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { User } from '../../../model/users.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import type {
  ChannelPlace,
  Mentions,
  MessageKind,
  ReceivedFlag,
  SentMessage,
} from '../../../viewer/message-changes.ts';
import { emitVisibility, guestsNotSeeing, visibilityBefore } from '../../../viewer/user-visibility.ts';
import { areGuestsRestricted } from '../../../viewer/viewer.ts';
import { emitFirstMessages, noteMessages } from '../channel-activity.ts';
import { checkMentions, renderContents, truncatable, usersNamed, type Widget, widgetIn } from '../message-content.ts';
import { messageObject, messageView, type SharedMessage, sharedMessage, withoutSender } from '../message-view.ts';
import { matchesNarrow } from '../queue-narrow.ts';

/** Parameters of operations that send a message, now or later. */
export const messageParams = {
  type: describe(
    choice(['direct', 'channel', 'stream', 'private']),
    '`channel` or `direct`. `stream` and `private` are deprecated names of them.',
  ),
  topic: optional(text(), 'Topic of a channel message, at most 60 characters.'),
  content: describe(nonEmptyText(200_000), 'Message content in Markdown, at most 10,000 characters.'),
  read_by_sender: optional(
    forPrograms(flag),
    'Mark the message as read for the sender. The default depends on the client name.',
  ),
  ...truncatable,
};

/**
 * A channel message needs a topic. A direct message has none. Without the old name `subject`, which clients of the API
 * send, so that the compiler reports a missing `topic`.
 */
export type Addressed = { type: 'channel' | 'stream'; topic: string } | { type: 'direct' | 'private' };

/** One form of the parameters of a message: `stream`, `private` and `subject` are old names, and `to` may be a list. */
export function canonicalMessage({ subject, ...params }: Readonly<Record<string, unknown>>) {
  const { type, to, topic = subject } = params;
  return {
    ...params,
    topic,
    type: isToChannel(type) ? 'channel' : 'direct',
    to: Array.isArray(to) && to.length === 1 ? to[0] : to,
  };
}

/** `stream` and `private` are old names. */
export const isToChannel = (type: unknown) => type === 'channel' || type === 'stream';

/** The event in the log, with Markdown and HTML. Each client gets the format it requested. */
export interface StoredMessageEvent {
  message: SharedMessage;
  flags: string[];
  /** Guests who cannot see the sender. A name in the database. */
  strangers?: number[];
}

export const messageSent = defineEvent('message', {
  summary: 'A message was sent.',
  fields: {
    message: messageObject,
    flags: describe(v.array(v.string()), 'Your flags on the message, for example `read` or `mentioned`.'),
    local_message_id: describe(
      v.optional(v.string()),
      'The `local_id` from the request. Only in the queue of the sending client.',
    ),
  },
  inRooms: ({ message }: StoredMessageEvent, { channels }) =>
    message.type === 'stream' && channels.has(message.stream_id ?? 0),
  matchesNarrow({ message, flags }: StoredMessageEvent, client) {
    const { narrow, reader, organization } = client;
    return matchesNarrow(narrow, { message, flags, readerId: reader.id, organization });
  },
  forClient({ strangers, ...event }: StoredMessageEvent, client) {
    const { options, organization } = client;
    const { empty_topic_name: allow_empty_topic_name = false, strict_content = false } = options.client_capabilities;
    const shown = strangers?.includes(client.reader.id) ? withoutSender(event.message, organization) : event.message;
    const message = messageView(shown, { ...options, allow_empty_topic_name, strict_content }, organization);
    return { ...event, message };
  },
});

/** A topic of a channel, or users, including the sender, ordered by ID. */
export type Destination = ChannelPlace | { participants: readonly User[] };

export interface Post {
  sender: User;
  client: string;
  readBySender: boolean;
  /** Overrides a widget in the content. */
  widget?: Widget | undefined;
  /** Another user who has the message as read, because they caused it. */
  alsoReadBy?: number;
  /** Only these subscribers of the channel have the message as unread. Absent: all do. */
  unreadFor?: readonly number[] | undefined;
  /**
   * For messages of the software: links work for what this user can see. The message mentions no user, because it can
   * contain topics and descriptions that other users wrote.
   */
  knownTo?: User;
  /** Queue and `local_id` of the sending client. Only this queue gets the `local_id`. */
  echo?: { queue_id: string; local_id: string };
}

interface OutgoingMessage {
  to: SentMessage['to'];
  /** Markdown from `messageContent`. */
  content: string;
}

interface StoredMessage extends SentMessage {
  received: readonly ReceivedFlag[];
  notSeeingSender: readonly number[];
  submessages?: SharedMessage['submessages'];
}

export type StoredMessages = Awaited<ReturnType<typeof storeMessages>>;

const NO_MENTIONS: Mentions = { users: [], groups: [], wildcards: { channel: false, topic: false } };

/** The caller has checked that the sender may post there. The cost does not depend on the number of receivers. */
export async function postMessage(
  context: WriteContext,
  to: Destination,
  { content, ...post }: Post & { content: string },
) {
  const conversation = 'channel' in to ? to.conversation : await ensureDirect(context, to.participants);
  const { messages, policy, firsts } = await storeMessages(context, [{ to: { ...to, conversation }, content }], post);
  const id = present(messages[0]?.message.id);
  const submessages = await startWidget(context, id, post.sender, post.widget ?? widgetIn(content));
  emitMessages(
    context,
    messages.map((message) => ({ ...message, submessages })),
    post.echo,
  );
  await emitFirstMessages(context, firsts);
  return { id, ...(policy === undefined ? {} : { automatic_new_visibility_policy: policy }) };
}

/** Stores a poll, a to-do list or buttons as the first submessage of a new message. */
async function startWidget({ tx }: WriteContext, message_id: number, sender: User, widget: Widget | undefined) {
  if (!widget) return [];
  const submessage = { message_id, sender_id: sender.id, msg_type: 'widget', content: JSON.stringify(widget) };
  return [{ id: await tx.submessages.add(submessage), ...submessage }];
}

/**
 * The only way to create messages: checks their mentions and stores them with their consequences. The caller emits them.
 * Several messages are messages of the software for few receivers each. The number of statements does not depend on
 * their number.
 */
export async function storeMessages(context: WriteContext, outgoing: readonly OutgoingMessage[], post: Post) {
  const { tx, services } = context;
  const { alsoReadBy, unreadFor } = post;
  const drafts = await draftMessages(context, outgoing, post);
  const messages = await createMessages(context, drafts);
  const ids = messages.map(({ message }) => message.id);
  const [flags, readers, notSeeingSender] = await allInOrder([
    allInOrder(services.consequences.flags.map((flag) => flag(context, messages))),
    readersFromTheStart(context, post),
    allInOrder(messages.map((message) => followFromOutside(context, message))),
    alsoReadBy !== undefined && tx.readState.markRead(alsoReadBy, ids),
    unreadFor && allInOrder(ids.map((id) => tx.readState.markReadExcept(unreadFor, id))),
    reactToSending(context, messages),
  ]);
  const received = new Map<number, ReceivedFlag[]>();
  const read = unreadFor
    ? { users: 'all' as const, except: unreadFor.filter((user) => !readers.has(user)) }
    : { users: [...readers] };
  for (const id of ids) received.set(id, [{ message_id: id, flag: 'read', ...read }]);
  for (const given of flags.flat()) received.get(given.message_id)?.push(given);
  const firsts = await noteMessages(
    context,
    messages.flatMap(({ to, message }) => ('channel' in to ? [{ channel: to.channel, message_id: message.id }] : [])),
  );
  const stored = messages.map(
    (sent, at): StoredMessage => ({
      ...sent,
      received: received.get(sent.message.id) ?? [],
      notSeeingSender: notSeeingSender[at] ?? [],
    }),
  );
  return { messages: stored, policy: drafts[0]?.policy, firsts };
}

const IS_OF_KIND: Readonly<Record<MessageKind, (message: SentMessage) => boolean>> = {
  all: () => true,
  'with files': ({ uploads }) => uploads.length > 0,
  'with links': ({ previewed }) => previewed.length > 0,
  'with names': ({ named }) => named.length > 0,
  addressed: ({ to, named }) => !('channel' in to) || named.length > 0,
  'from outside': ({ to }) => 'channel' in to && to.isFromOutside === true,
};

/** Most messages concern few features. */
async function reactToSending(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  const reactions = context.services.consequences.sent.map(async ({ of, react }) => {
    const concerned = messages.filter(IS_OF_KIND[of]);
    if (concerned.length > 0) await react(context, concerned);
  });
  await allInOrder(reactions);
}

interface Draft extends Omit<SentMessage, 'message' | 'receivers' | 'isFollowed'> {
  message: Omit<PlacedMessage, 'id'>;
  /** The sender's new setting for the topic, if sending changes it: 2 unmuted, 3 followed. */
  policy: 2 | 3 | undefined;
}

async function draftMessages(
  context: WriteContext,
  outgoing: readonly OutgoingMessage[],
  post: Post,
): Promise<Draft[]> {
  const { sender, client, knownTo } = post;
  const texts = outgoing.map(({ content }) => content);
  const rendered = await renderContents(context, knownTo ?? sender, texts, sender);
  return Promise.all(
    outgoing.map(async ({ to, content }) => {
      const { html, isMe, uploads, previewed, ...found } = present(rendered.get(content));
      const mentions = knownTo ? NO_MENTIONS : found.mentions;
      await checkMentions(context, sender, mentions, to.conversation);
      const [policy, named] = await allInOrder([noteSending(context, sender, to), usersNamed(context, mentions)]);
      const { id: conversation_id, channel_id, topic } = to.conversation;
      const message = {
        conversation_id,
        sender_id: sender.id,
        content,
        rendered_content: html,
        timestamp: Math.floor(context.now / 1000),
        client,
        is_me_message: isMe,
        read_by_sender: post.readBySender,
        last_edit_timestamp: null,
        last_moved_timestamp: null,
        channel_id,
        topic,
      };
      return { sender, to, message, uploads, previewed, mentions, named, policy };
    }),
  );
}

async function createMessages(context: WriteContext, drafts: readonly Draft[]): Promise<SentMessage[]> {
  const [only] = drafts;
  if (only && drafts.length === 1) return [await createMessage(context, only)];
  const ids = await context.tx.messages.createMany(drafts.map(({ message }) => message));
  const receivers = await receiversOf(context, drafts);
  return drafts.map(({ policy: _, message, ...draft }, at) => ({
    ...draft,
    message: { id: present(ids[at]), ...message },
    receivers: receivers[at],
  }));
}

async function createMessage({ tx, services }: WriteContext, draft: Draft): Promise<SentMessage> {
  const { policy: _, message, ...rest } = draft;
  const looksForFollowers = services.consequences.looksForFollowers.some((looks) => looks(services));
  const { id, is_followed: isFollowed } = await tx.messages.create(message, { looksForFollowers });
  return { ...rest, message: { id, ...message }, receivers: undefined, isFollowed };
}

async function noteSending(context: WriteContext, sender: User, to: OutgoingMessage['to']): Promise<2 | 3 | undefined> {
  if (!('channel' in to)) return undefined;
  const policies = await allInOrder(context.services.consequences.sending.map((react) => react(context, sender, to)));
  return policies.find((policy) => policy !== undefined);
}

/** Receivers of each message, in order. Empty if no user has alert words, muted users or push notifications. */
async function receiversOf(context: WriteContext, outgoing: readonly Pick<OutgoingMessage, 'to'>[]) {
  const { tx, readersVersion, pushVersion } = context;
  if (readersVersion === 0 && pushVersion === 0) return outgoing.map(() => []);
  const channels = outgoing.flatMap(({ to }) => ('channel' in to ? [to.channel.id] : []));
  const subscribers =
    channels.length > 0 ? await tx.subscriptions.subscriberIds(channels) : new Map<number, number[]>();
  return outgoing.map(({ to }) =>
    'channel' in to ? (subscribers.get(to.channel.id) ?? []) : to.conversation.participants,
  );
}

/** Users who have the message as read on arrival: users who muted the sender, and users named in the post. */
async function readersFromTheStart(context: WriteContext, { sender, readBySender, alsoReadBy }: Post) {
  const { tx, services, readersVersion, afterCommit } = context;
  const readers = new Set(await services.muters.of(tx, readersVersion, sender.id, afterCommit));
  if (readBySender) readers.add(sender.id);
  if (alsoReadBy !== undefined) readers.add(alsoReadBy);
  return readers;
}

/** Lets a sender who is not subscribed see their message. Returns the receivers who cannot see the sender. */
async function followFromOutside(context: WriteContext, { message, sender, to }: SentMessage): Promise<number[]> {
  // Subscribers of a channel know each other.
  if (!('channel' in to) || !to.isFromOutside) return [];
  const [notSeeing] = await allInOrder([
    guestsNotSeeing(context, to.channel.id, sender),
    context.tx.flags.follow(sender.id, message.id),
  ]);
  return notSeeing;
}

/** Sends stored messages to their receivers. In a public channel, also to queues with a `PublicFeed`. */
export function emitMessages(context: WriteContext, messages: readonly StoredMessage[], echo?: Post['echo']): void {
  for (const { message, sender, to, received, notSeeingSender, submessages = [] } of messages) {
    const audience =
      'channel' in to
        ? { channel: to.channel.id, ...(to.channel.invite_only ? {} : { scope: 'public' as const }) }
        : { users: to.conversation.participants };
    const given = received.map(({ flag, users, except }) => ({
      flag,
      users: users === 'all' ? undefined : new Set(users),
      except: new Set(except),
    }));
    const flagsOf = (user: number) =>
      given.filter(({ users, except }) => users?.has(user) ?? !except.has(user)).map(({ flag }) => flag);
    const users = new Set(given.flatMap(({ users, except }) => [...(users ?? except)]));
    const event = messageSent({
      message: { ...sharedMessage(message, sender, to, context.organization), submessages },
      flags: given.filter(({ users }) => !users).map(({ flag }) => flag),
      ...(notSeeingSender.length > 0 ? { strangers: [...notSeeingSender] } : {}),
    });
    context.emit(audience, event, {
      ...(users.size > 0 && {
        forUsers: Object.fromEntries([...users].map((user) => [user, { flags: flagsOf(user) }])),
      }),
      ...(echo && { forQueue: { queue_id: echo.queue_id, fields: { local_message_id: echo.local_id } } }),
    });
  }
}

async function ensureDirect(context: WriteContext, participants: readonly User[]): Promise<Conversation> {
  const { conversations } = context.tx;
  const ids = participants.map((user) => user.id);
  const guests = participants.filter(isGuest).map((user) => user.id);
  if (guests.length === 0 || !areGuestsRestricted(context.organization)) return conversations.ensureDirect(ids);
  const found = await conversations.direct(ids);
  if (found) return found;
  const before = await visibilityBefore(context, [{ guests, users: ids }]);
  const conversation = await conversations.ensureDirect(ids);
  await emitVisibility(context, before);
  return conversation;
}

const FULL_CLIENTS: ReadonlySet<string> = new Set([
  'website',
  'zulipmobile',
  'zulipflutter',
  'zulipelectron',
  'zulipterminal',
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'snipe',
  'ios',
  'android',
]);

export function isReadBySender(client: string): boolean {
  const name = client.toLowerCase();
  return FULL_CLIENTS.has(name) || name.includes('desktop app');
}

import { emitVisibility, usersNotVisible, visibilityBefore } from '../../../access/user-visibility.ts';
import { areGuestsRestricted } from '../../../access/users.ts';
import { allInOrder } from '../../../kernel/all-in-order.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { ChannelHead } from '../../../storage/interface/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { User } from '../../../storage/interface/users.ts';
import { announceMessage } from '../../push/notifications/announce.ts';
import { claimUploads } from '../../uploads/claims.ts';
import { flagAlertWords } from '../alerts.ts';
import { emitFirstMessage } from '../first-message.ts';
import { checkMentions, flagMentions, NOBODY_MENTIONED, usersNamed } from '../mentions.ts';
import { type RenderedContent, renderContent } from '../message-content.ts';
import { sharedMessage } from '../message-view.ts';
import { triggerWebhooks } from '../outgoing-webhooks/triggers.ts';
import { noteMentions, noteSending } from '../topic-participation.ts';
import type { ChannelPlace } from './channel-place.ts';
import { messageSent } from './events.ts';

/** A topic of a channel, or users, including the sender, ordered by ID. */
export type Destination = ChannelPlace | { participants: readonly User[] };

export interface Post {
  sender: User;
  /** Markdown from `messageContent`. */
  content: string;
  client: string;
  readBySender: boolean;
  /** Another user who has the message as read, because they caused it. */
  alsoReadBy?: number;
  /**
   * For messages of the software: links work for what this user can see. The message mentions no user, because it can
   * contain topics and descriptions that other users wrote.
   */
  knownTo?: User;
  /** Queue and `local_id` of the sending client. Only this queue gets the `local_id`. */
  echo?: { queue_id: string; local_id: string };
}

export interface Posted {
  id: number;
  /** The sender's new setting for the topic, if sending changed it: 2 unmuted, 3 followed. */
  automatic_new_visibility_policy?: 2 | 3;
}

export const DAY_MS = 86_400_000;

/**
 * The only way to create messages, except for `postMany`. Stores the message and sends it to all receivers. The caller
 * has checked that the sender may post there. This checks the mentions. The cost does not depend on the number of
 * receivers.
 */
export async function postMessage(context: WriteContext, to: Destination, post: Post): Promise<Posted> {
  const { tx } = context;
  const { sender, content, knownTo } = post;
  const isChannel = 'channel' in to;
  const conversation = isChannel ? to.conversation : await ensureDirect(context, to.participants);
  const rendered = await renderContent(context, knownTo ?? sender, content, sender);
  if (!knownTo) await checkMentions(context, sender, rendered.mentions, conversation);
  const message = newMessage(context, post, conversation, content, rendered);
  const [policy, named] = await allInOrder([
    isChannel ? noteSending(context, sender, to) : undefined,
    knownTo ? [] : usersNamed(context, rendered.mentions),
  ]);
  message.id = await tx.messages.create(message);
  await claimUploads(context, [{ id: message.id, uploads: rendered.uploads }]);
  const isFromOutside = isChannel && to.isFromOutside;
  const [mentioned, alerted, readers, strangers] = await allInOrder([
    knownTo ? NOBODY_MENTIONED : flagMentions(context, message, rendered.mentions, named),
    flagAlertWords(context, message),
    readersFromTheStart(context, post),
    // Subscribers of a channel know each other.
    isFromOutside ? usersNotVisible(context, to.channel.id, sender) : [],
    // Queried after the flags of mentioned users are set.
    noteMentions(context, conversation, named, message.id),
    isFromOutside && tx.flags.follow(sender.id, message.id),
    post.alsoReadBy !== undefined && tx.readState.markRead(post.alsoReadBy, [message.id]),
    announceMessage(context, message, conversation, knownTo ? undefined : rendered.mentions),
    knownTo ? undefined : triggerWebhooks(context, message, sender, to, rendered.mentions.users),
  ]);
  const flagsByUser = new Map(mentioned.flagsByUser);
  const flagsOf = (user: number) => flagsByUser.get(user) ?? mentioned.flagsOfAll;
  for (const user of alerted) flagsByUser.set(user, [...flagsOf(user), 'has_alert_word']);
  for (const user of readers) flagsByUser.set(user, ['read', ...flagsOf(user)]);
  const { participants } = conversation;
  const { flagsOfAll } = mentioned;
  emitSent(context, { message, sender, to, participants, flagsByUser, flagsOfAll, strangers, echo: post.echo });
  if (isChannel) await noteActivity(context, to.channel, message.id);
  return { id: message.id, ...(policy === undefined ? {} : { automatic_new_visibility_policy: policy }) };
}

/** A message without an ID. */
export function newMessage(
  { now }: WriteContext,
  { sender, client, readBySender }: Pick<Post, 'sender' | 'client' | 'readBySender'>,
  conversation: Conversation,
  content: string,
  { html, isMe }: Pick<RenderedContent, 'html' | 'isMe'>,
): PlacedMessage {
  return {
    id: 0,
    conversation_id: conversation.id,
    sender_id: sender.id,
    content,
    rendered_content: html,
    timestamp: Math.floor(now / 1000),
    client,
    is_me_message: isMe,
    read_by_sender: readBySender,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    channel_id: conversation.channel_id,
    topic: conversation.topic,
  };
}

interface PostedMessage {
  message: PlacedMessage;
  sender: User;
  to: { channel: ChannelHead } | { participants: readonly User[] };
  /** Only for a direct conversation. */
  participants: readonly number[];
  flagsByUser: ReadonlyMap<number, readonly string[]>;
  flagsOfAll?: readonly string[];
  /** Receivers who cannot see the sender. */
  strangers?: readonly number[];
  echo?: Post['echo'];
}

/** Sends the message to its receivers. In a public channel, also to queues with `all_public_streams`. */
export function emitSent(
  context: WriteContext,
  { message, sender, to, flagsByUser, echo, ...sent }: PostedMessage,
): void {
  const isChannel = 'channel' in to;
  const place = isChannel ? { stream_id: to.channel.id, channel_name: to.channel.name } : to;
  const isPublic = isChannel && !to.channel.invite_only;
  context.emit(
    isChannel ? { channel: to.channel.id, ...(isPublic ? { scope: 'public' } : {}) } : { users: sent.participants },
    messageSent({
      message: sharedMessage(message, sender, place, context.organization),
      flags: [...(sent.flagsOfAll ?? [])],
      ...(sent.strangers?.length ? { strangers: [...sent.strangers] } : {}),
    }),
    {
      ...(flagsByUser.size > 0 && {
        forUsers: Object.fromEntries([...flagsByUser].map(([user, flags]) => [user, { flags }])),
      }),
      ...(echo && { forQueue: { queue_id: echo.queue_id, fields: { local_message_id: echo.local_id } } }),
    },
  );
}

/** Users who have the message as read on arrival: users who muted the sender, and users named in the post. */
export async function readersFromTheStart(
  context: WriteContext,
  { sender, readBySender, alsoReadBy }: Pick<Post, 'sender' | 'readBySender' | 'alsoReadBy'>,
): Promise<Set<number>> {
  const { tx, services, readersVersion, afterCommit } = context;
  const readers = new Set(await services.muters.of(tx, readersVersion, sender.id, afterCommit));
  if (readBySender) readers.add(sender.id);
  if (alsoReadBy !== undefined) readers.add(alsoReadBy);
  return readers;
}

/** Finds or creates the conversation. Restricted guests in a new conversation can see the other participants. */
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

/** Stores the day of the last message in the channel. Only the first message of a day writes it. */
async function noteActivity(context: WriteContext, channel: ChannelHead, messageId: number): Promise<void> {
  const today = Math.floor(context.now / DAY_MS);
  if (channel.last_active_day === today && channel.first_message_id !== null) return;
  const noted = [{ channel_id: channel.id, message_id: messageId }];
  const [first] = await context.tx.channels.noteMessages(noted, today);
  if (first !== undefined) await emitFirstMessage(context, channel, messageId);
  context.afterCommit(() => context.services.channelCache.keepDay(channel.id, today, messageId));
}

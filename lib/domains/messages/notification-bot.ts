import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import type { ChannelHead } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { effectiveTopicsPolicy } from '../../rules/channels.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { NOTIFICATION_BOT } from '../../rules/roles.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { isRestricted } from '../../viewer/viewer.ts';
import { withoutBlockers } from './blocking.ts';
import { emitFirstMessages } from './channel-activity.ts';
import { emitMessages, type Post, postMessage, type StoredMessages, storeMessages } from './posting/post-message.ts';

const WELCOME_ADDRESS = 'welcome-bot@zulip.com';
const CLIENT = 'Internal';

interface Notice {
  /** Wanted topic. */
  topic: string;
  /** The user whose action the message is about. */
  cause: User;
  unreadFor?: Post['unreadFor'];
}

/**
 * Posts a message of the notification bot about an action of `cause` in a channel. The bot needs no permission. In a
 * channel with only the empty topic, it posts there. It does not post in a topic where users cannot reply. This and the
 * functions below are the only way in which the software itself sends messages.
 */
export async function notifyChannel(
  context: WriteContext,
  channel: ChannelHead,
  { content, ...notice }: Notice & { content: string },
): Promise<void> {
  const { messages, firsts } = await storeNotices(context, [{ channel, content }], notice);
  emitMessages(context, messages);
  await emitFirstMessages(context, firsts);
}

/**
 * The same for several new channels. The number of statements does not depend on the number of channels. Does not emit
 * the messages, because the events of new channels come first.
 */
export async function storeNotices(
  context: WriteContext,
  notices: readonly { channel: ChannelHead; content: string }[],
  { topic: wantedTopic, cause, unreadFor }: Notice,
): Promise<Pick<StoredMessages, 'messages' | 'firsts'>> {
  if (notices.length === 0) return { messages: [], firsts: [] };
  const sender = await systemBot(context);
  const post = { sender, client: CLIENT, readBySender: true, alsoReadBy: cause.id, knownTo: cause, unreadFor };
  const stored: StoredMessages[] = [];
  for (const [topic, there] of groupBy(notices, ({ channel }) => topicIn(context, channel, wantedTopic))) {
    if (topic === undefined) continue;
    const ids = there.map(({ channel }) => channel.id);
    const conversations = await context.tx.conversations.ensureTopicInEach(ids, topic);
    const byChannel = new Map(conversations.map((conversation) => [conversation.channel_id, conversation]));
    const outgoing = there.flatMap(({ channel, content }) => {
      const conversation = byChannel.get(channel.id);
      return conversation ? [{ to: { channel, conversation }, content }] : [];
    });
    stored.push(await storeMessages(context, outgoing, post));
  }
  return { messages: stored.flatMap(({ messages }) => messages), firsts: stored.flatMap(({ firsts }) => firsts) };
}

/** The topic for messages of the software in a channel. Undefined if users could not reply there. */
function topicIn({ organization }: WriteContext, channel: ChannelHead, wanted: string): string | undefined {
  const policy = effectiveTopicsPolicy(channel, organizationSetting(organization, 'topics_policy'));
  const topic = policy === 'empty_topic_only' ? '' : wanted;
  return policy === 'disable_empty_topic' && topic === '' ? undefined : topic;
}

/** Sends a direct message from the welcome bot to a new user. Returns the message ID. */
export function welcomeUser(context: WriteContext, user: User, content: string): Promise<number> {
  return notifyUser(context, user, content, WELCOME_ADDRESS);
}

export async function notifyUser(
  context: WriteContext,
  user: User,
  content: string,
  from = NOTIFICATION_BOT,
): Promise<number> {
  const sender = await systemBot(context, from);
  const post = { sender, content, client: CLIENT, readBySender: true, knownTo: user };
  return (await postMessage(context, { participants: [sender, user] }, post)).id;
}

/**
 * Sends a direct message from the notification bot to each user. The number of statements does not depend on the number
 * of users. A text may mention `cause`, whose name is hidden from guests who cannot see that user, and may link
 * channels that its reader can see. Users who block `cause` get none.
 */
export async function notifyEach(context: WriteContext, texts: ReadonlyMap<User, string>, cause: User): Promise<void> {
  const ids = [...texts.keys()].map(({ id }) => id);
  const wanted = new Set(await withoutBlockers(context, cause, ids));
  const users = [...texts.keys()].filter(({ id }) => wanted.has(id));
  if (users.length === 0) return;
  const sender = await systemBot(context);
  const guests = users.filter((user) => isRestricted(user, context.organization)).map((user) => user.id);
  const seeing = guests.length > 0 ? await context.tx.guestVisibility.between(guests, [cause.id]) : [];
  const notSeeing = new Set(guests);
  for (const { guest_id } of seeing) notSeeing.delete(guest_id);
  const conversations = await context.tx.conversations.ensureDirects(users.map((user) => [sender.id, user.id]));
  const byUser = new Map(conversations.map((direct) => [direct.participants.find((id) => id !== sender.id), direct]));
  for (const readers of groupBy(users, ({ id }) => notSeeing.has(id)).values()) {
    const knownTo = present(readers[0]);
    const outgoing = readers.flatMap((user) => {
      const conversation = byUser.get(user.id);
      const participants = [sender, user];
      return conversation ? [{ to: { participants, conversation }, content: texts.get(user) ?? '' }] : [];
    });
    const post = { sender, client: CLIENT, readBySender: true, knownTo };
    emitMessages(context, (await storeMessages(context, outgoing, post)).messages);
  }
}

/** Created with the organization, before all users. So its ID comes first in lists of participants. */
async function systemBot({ tx }: WriteContext, address = NOTIFICATION_BOT): Promise<User> {
  const bot = await tx.users.byEmail(address);
  if (!bot) throw new Error(`The bot ${address} is missing from this organization.`);
  return bot;
}

/** A mention that shows the name and notifies no user. */
export const silentMention = (user: Pick<User, 'id' | 'full_name'>) => `@_**${user.full_name}|${user.id}**`;

export const channelLink = (channel: Pick<ChannelHead, 'name'>) => `#**${channel.name}**`;

/** @param kind what follows the opening fence */
export function quotation(text: string, kind = 'quote'): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text}\n${fence}`;
}

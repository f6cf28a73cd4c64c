import { isRestricted } from '../../access/users.ts';
import type { WriteContext } from '../../kernel/context.ts';
import { effectiveTopicsPolicy } from '../../rules/channels.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import type { ChannelHead } from '../../storage/interface/channels.ts';
import type { User } from '../../storage/interface/users.ts';
import { postMessage, postToEach } from './posting/post-message.ts';

const ADDRESS = 'notification-bot@zulip.com';
const WELCOME_ADDRESS = 'welcome-bot@zulip.com';
const CLIENT = 'Internal';

/**
 * The notification bot writes in a channel about what `cause` did. No permission binds it, but where a
 * channel has one topic alone it writes there, and it says nothing in a topic where nobody could answer.
 * This and its like below are how the software itself writes messages.
 */
export async function notifyChannel(
  context: WriteContext,
  channel: ChannelHead,
  wantedTopic: string,
  content: string,
  cause: User,
): Promise<void> {
  const policy = effectiveTopicsPolicy(channel, organizationSetting(context.organization, 'topics_policy'));
  const topic = policy === 'empty_topic_only' ? '' : wantedTopic;
  if (policy === 'disable_empty_topic' && topic === '') return;
  const sender = await notificationBot(context);
  const conversation = await context.tx.conversations.ensureTopic(channel.id, topic);
  const post = { sender, content, client: CLIENT, readBySender: true, alsoReadBy: cause.id, knownTo: cause };
  await postMessage(context, { channel, conversation }, post);
}

/** The notification bot writes to one person. */
export async function notifyUser(context: WriteContext, user: User, content: string): Promise<void> {
  await writeTo(context, await notificationBot(context), user, content);
}

/** The welcome bot writes to somebody new. */
export async function welcomeUser(context: WriteContext, user: User, content: string): Promise<void> {
  await writeTo(context, await systemBot(context, WELCOME_ADDRESS), user, content);
}

async function writeTo(context: WriteContext, sender: User, user: User, content: string): Promise<void> {
  const participants = [sender, user].sort((a, b) => a.id - b.id);
  await postMessage(context, { participants }, { sender, content, client: CLIENT, readBySender: true, knownTo: user });
}

/**
 * The notification bot writes the same to each of several people, in a number of statements that does not
 * follow theirs. The text may name `cause`, whom guests may be kept from knowing.
 */
export async function notifyEach(
  context: WriteContext,
  users: readonly User[],
  content: string,
  cause: User,
): Promise<void> {
  if (users.length === 0) return;
  const sender = await notificationBot(context);
  const guests = users.filter((user) => isRestricted(user, context.organization)).map((user) => user.id);
  const acquainted = guests.length > 0 ? await context.tx.acquaintances.between(guests, [cause.id]) : [];
  const strangers = new Set(guests);
  for (const { guest_id } of acquainted) strangers.delete(guest_id);
  const alike = [users.filter((user) => !strangers.has(user.id)), users.filter((user) => strangers.has(user.id))];
  for (const readers of alike) {
    const [knownTo] = readers;
    if (knownTo) await postToEach(context, readers, { sender, content, client: CLIENT, readBySender: true, knownTo });
  }
}

function notificationBot(context: WriteContext): Promise<User> {
  return systemBot(context, ADDRESS);
}

async function systemBot({ tx }: WriteContext, address: string): Promise<User> {
  const bot = await tx.users.byEmail(address);
  if (!bot) throw new Error(`The bot ${address} is missing from this organization.`);
  return bot;
}

/** A mention that shows the name and notifies nobody. */
export const silentMention = (user: Pick<User, 'id' | 'full_name'>) => `@_**${user.full_name}|${user.id}**`;

export const channelLink = (channel: Pick<ChannelHead, 'name'>) => `#**${channel.name}**`;

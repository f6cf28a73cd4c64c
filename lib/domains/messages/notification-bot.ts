import type { WriteContext } from '../../kernel/context.ts';

import type { ChannelHead, User } from '../../storage/storage.ts';
import { postDirect, postToChannel } from './posting/post-message.ts';

const ADDRESS = 'notification-bot@zulip.com';
const CLIENT = 'Internal';

async function notificationBot({ tx }: WriteContext): Promise<User> {
  const bot = await tx.users.byEmail(ADDRESS);
  if (!bot) throw new Error('The notification bot is missing from this organization.');
  return bot;
}

/** The notification bot writes in a channel about what `cause` did; no policy binds it. */
export async function notifyChannel(
  scope: WriteContext,
  channel: ChannelHead,
  topic: string,
  content: string,
  cause: User,
): Promise<void> {
  const sender = await notificationBot(scope);
  const conversation = await scope.tx.conversations.ensureTopic(channel.id, topic);
  await postToChannel(scope, channel, conversation, {
    sender,
    content,
    client: CLIENT,
    readBySender: true,
    alsoReadBy: cause.id,
    knownTo: cause,
  });
}

/** The notification bot writes to one person. */
export async function notifyUser(scope: WriteContext, user: User, content: string): Promise<void> {
  const sender = await notificationBot(scope);
  const participants = [sender, user].sort((a, b) => a.id - b.id);
  await postDirect(scope, participants, { sender, content, client: CLIENT, readBySender: true, knownTo: user });
}

/** A mention that shows the name and notifies nobody. */
export const silentMention = (user: Pick<User, 'id' | 'full_name'>) => `@_**${user.full_name}|${user.id}**`;

export const channelLink = (channel: Pick<ChannelHead, 'name'>) => `#**${channel.name}**`;

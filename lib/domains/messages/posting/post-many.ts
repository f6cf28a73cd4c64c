import type { WriteContext } from '../../../kernel/context.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { announceToEach } from '../../push/notifications/announce.ts';
import { claimUploads } from '../../uploads/claims.ts';
import { flagAlertWordsOfMany } from '../alerts.ts';
import { renderContents } from '../message-content.ts';
import type { ChannelPlace } from './channel-place.ts';
import { DAY_MS, emitSent, newMessage, type Post, readersFromTheStart } from './post-message.ts';

/** A message to a topic of a channel with few subscribers, or to users. */
export interface Letter {
  to: Pick<ChannelPlace, 'channel' | 'conversation'> | { participants: readonly User[]; conversation: Conversation };
  content: string;
}

/**
 * Like `postMessage`, for several messages of the software to different conversations. The number of statements does
 * not depend on the number of messages. All messages are rendered as `knownTo` may see them.
 * Returns the first message ID by channel ID, for channels that had no messages. The caller must emit these.
 */
export async function postMany(
  context: WriteContext,
  letters: readonly Letter[],
  post: Omit<Post, 'content' | 'echo'> & { knownTo: User },
): Promise<Map<number, number>> {
  if (letters.length === 0) return new Map();
  const { tx } = context;
  const { sender, alsoReadBy, knownTo } = post;
  const contents = letters.map(({ content }) => content);
  const rendered = await renderContents(context, knownTo, contents, sender);
  const messages = letters.map(({ content, to: { conversation } }) =>
    newMessage(context, post, conversation, content, rendered.get(content) ?? missing()),
  );
  const ids = await tx.messages.createMany(messages);
  for (const [at, message] of messages.entries()) message.id = ids[at] ?? missing();
  await claimUploads(
    context,
    messages.map(({ id, content }) => ({ id, uploads: rendered.get(content)?.uploads ?? [] })),
  );
  const receivers = await receiversOf(context, letters);
  const received = messages.map(({ id, content }, at) => ({ id, content, receivers: receivers[at] ?? [] }));
  const alerted = await flagAlertWordsOfMany(context, received);
  const readers = await readersFromTheStart(context, post);
  if (alsoReadBy !== undefined) await tx.readState.markRead(alsoReadBy, ids);
  for (const [at, { to }] of letters.entries()) {
    const message = messages[at] ?? missing();
    const flagsByUser = new Map<number, string[]>();
    for (const user of alerted.get(message.id) ?? []) flagsByUser.set(user, ['has_alert_word']);
    for (const user of readers) flagsByUser.set(user, ['read', ...(flagsByUser.get(user) ?? [])]);
    emitSent(context, { message, sender, to, participants: to.conversation.participants, flagsByUser });
  }
  await announceToEach(context, sender.id, received);
  return noteActivities(context, letters, ids);
}

/** Receivers of each message, in order. Empty if no user has alert words, muted users or push notifications. */
async function receiversOf(context: WriteContext, letters: readonly Letter[]): Promise<readonly number[][]> {
  const { tx, readersVersion, pushVersion } = context;
  if (readersVersion === 0 && pushVersion === 0) return [];
  const channels = letters.flatMap(({ to }) => ('channel' in to ? [to.channel.id] : []));
  const subscribers =
    channels.length > 0 ? await tx.subscriptions.subscriberIds(channels) : new Map<number, number[]>();
  return letters.map(({ to }) =>
    'channel' in to ? (subscribers.get(to.channel.id) ?? []) : to.conversation.participants,
  );
}

/** Stores the day of the last message of channels. Returns the first message of channels that had no messages. */
async function noteActivities(
  { tx, now, services, afterCommit }: WriteContext,
  letters: readonly Letter[],
  ids: readonly number[],
): Promise<Map<number, number>> {
  const today = Math.floor(now / DAY_MS);
  const noted = letters.flatMap(({ to }, at) =>
    'channel' in to ? [{ channel_id: to.channel.id, message_id: ids[at] ?? missing() }] : [],
  );
  const begun = new Set(await tx.channels.noteMessages(noted, today));
  afterCommit(() => {
    for (const { channel_id, message_id } of noted) services.channelCache.keepDay(channel_id, today, message_id);
  });
  return new Map(
    noted
      .filter(({ channel_id }) => begun.has(channel_id))
      .map(({ channel_id, message_id }) => [channel_id, message_id]),
  );
}

function missing(): never {
  throw new Error('A message has no text or no id.');
}

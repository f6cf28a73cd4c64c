import { channelAudiences } from '../../../access/channel-audience.ts';
import { channelUpdated } from '../../../access/events.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { User } from '../../../storage/interface/users.ts';
import { announceToEach } from '../../push/notifications/announce.ts';
import { claimUploads } from '../../uploads/claims.ts';
import { flagAlertWordsOfMany } from '../alerts.ts';
import { renderContents } from '../message-content.ts';
import type { ChannelPlace } from './channel-place.ts';
import { DAY_MS, emitSent, type Post, readersFromTheStart } from './post-message.ts';

/** One of several messages: to a topic of a channel with few subscribers, or to people, as they are known. */
export interface Letter {
  to: Pick<ChannelPlace, 'channel' | 'conversation'> | { participants: readonly User[]; conversation: Conversation };
  content: string;
}

/**
 * As `postMessage`, for messages of the software's that it writes at once, each to another conversation: in a
 * number of statements that does not follow theirs. All are rendered as `knownTo` may see them.
 */
export async function postMany(
  context: WriteContext,
  letters: readonly Letter[],
  post: Omit<Post, 'content' | 'echo'> & { knownTo: User },
): Promise<void> {
  if (letters.length === 0) return;
  const { tx, now } = context;
  const { sender, client, readBySender, alsoReadBy, knownTo } = post;
  const contents = letters.map(({ content }) => content);
  const rendered = await renderContents(context, knownTo, contents, sender);
  const messages = letters.map(({ content, to: { conversation } }): PlacedMessage => {
    const { html, isMe } = rendered.get(content) ?? missing();
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
  });
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
  await noteActivities(context, letters, ids);
  await announceToEach(context, sender.id, received);
}

/** Who receives each, in their order; nobody is looked up where that makes no difference to anybody. */
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

/** Notes the day for channels, and tells of the first messages of those that had none. */
async function noteActivities(context: WriteContext, letters: readonly Letter[], ids: readonly number[]) {
  const { tx, now, emit, services } = context;
  const today = Math.floor(now / DAY_MS);
  const noted = letters.flatMap(({ to }, at) => ('channel' in to ? [{ ...to, message_id: ids[at] ?? missing() }] : []));
  if (noted.length === 0) return;
  const firsts = new Set(
    await tx.channels.noteMessages(
      noted.map(({ channel, message_id }) => ({ channel_id: channel.id, message_id })),
      today,
    ),
  );
  const begun = noted.filter(({ channel }) => firsts.has(channel.id));
  const audiences = await channelAudiences(
    context,
    begun.map(({ channel }) => channel),
  );
  for (const { channel, message_id: value } of begun) {
    const { id: stream_id, name } = channel;
    const audience = audiences.get(stream_id) ?? {};
    emit(audience, channelUpdated({ stream_id, name, property: 'first_message_id', value }));
  }
  context.afterCommit(() => {
    for (const { channel, message_id } of noted) services.channelCache.keepDay(channel.id, today, message_id);
  });
}

function missing(): never {
  throw new Error('A message has no text or no id.');
}

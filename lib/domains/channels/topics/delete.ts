import * as v from 'valibot';
import { describe, id, text, type ValuesOf } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation, inParts, type Progress } from '../../../operation/operation.ts';
import { hasSharedHistory, seesWholeHistory } from '../../../rules/channels.ts';
import { INHERIT, searchedTopic } from '../../../rules/topics.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import { channelMessagesAudience } from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { lastRemovable, noteDeparture, removeMessages } from '../../messages/channel-activity.ts';
import { messagesDeleted } from '../../messages/editing/events.ts';
import { emitUserTopic } from '../../messages/user-topics/visibility.ts';

/** Messages or topic settings removed per transaction. Other writers get their turn in between. */
const ROWS_PER_TRANSACTION = 500;
/** After this time the call returns `complete: false`. Clients give up after 60 seconds. */
const MAX_MS = 25_000;

const params = {
  stream_id: id,
  topic_name: describe(text(), 'Topic name, ignoring case. A topic without messages is not an error.'),
};

export const deleteTopic = defineOperation({
  name: 'topics.delete',
  http: 'POST /streams/{stream_id}/delete_topic',
  summary: 'Permanently delete a topic and its messages',
  description:
    'Deletes all messages in the topic that you can read, newest first. Messages sent during the call are kept. For very long topics, repeat the call until `complete` is true. Administrators only.',
  example: { stream_id: 3, topic_name: 'lunch' },
  access: 'administrator',
  effect: 'manual',
  params,
  result: v.object({ complete: describe(v.boolean(), 'False if messages are left. Then call again.') }),
  async run(manual, given) {
    const doPart = (context: AccountContext, before?: DeletionProgress) => deleteSome(context, given, before);
    const { isComplete } = await inParts(manual, 'write', doPart, { maxMs: MAX_MS });
    return { complete: isComplete };
  },
});

interface DeletionProgress extends Progress {
  /** The next messages have lower IDs. undefined: all are deleted. */
  upTo: number | undefined;
  /** The next topic settings are of users with higher IDs. */
  afterUser: number;
}

/** Deletes one batch. Most topics fit into one transaction, and then a dry run is possible. */
async function deleteSome(
  context: AccountContext,
  { stream_id, topic_name }: ValuesOf<typeof params>,
  { upTo, afterUser }: Omit<DeletionProgress, 'isComplete'> = { upTo: Number.MAX_SAFE_INTEGER, afterUser: 0 },
): Promise<DeletionProgress> {
  const { tx, organization } = context;
  const { channel } = await context.viewer.channel(stream_id, { readable: true });
  const topic = searchedTopic(topic_name, organization);
  const conversation = await tx.conversations.topic(channel.id, topic);
  const oldest = conversation && upTo !== undefined && (await deleteNewest(context, channel, conversation, upTo));
  if (oldest) return { upTo: oldest, afterUser, isComplete: false };
  const last = await forgetTopic(context, channel, { topic, conversation }, afterUser);
  return { upTo: undefined, afterUser: last ?? afterUser, isComplete: last === undefined };
}

/** Deletes the newest messages below the ID `before`. Returns the oldest deleted ID if more may be left. */
async function deleteNewest(context: AccountContext, channel: Channel, { id, topic }: Conversation, before: number) {
  const { tx, actor, emit } = context;
  const query = { viewer: actor.id, conversations: [id] };
  const readable = seesWholeHistory(actor, channel) ? query : { ...query, receivedOnlyIn: [channel.id] };
  const found = await tx.messages.fetchIds(readable, before, 'before', ROWS_PER_TRANSACTION);
  const ids = await lastRemovable(tx, found);
  const [first] = ids;
  if (first === undefined) return undefined;
  const audience = await channelMessagesAudience(context, channel, ids);
  await removeMessages(context, ids);
  emit(audience, messagesDeleted({ message_type: 'stream', stream_id: channel.id, topic, message_ids: [...ids] }));
  await noteDeparture(context, channel, first);
  return found.length === ROWS_PER_TRANSACTION || ids.length < found.length ? first : undefined;
}

/**
 * Removes the users' settings for a deleted topic, unless a user can still read a message in it. Works in batches,
 * because every user gets an event. Returns the last user ID if more settings may be left.
 */
async function forgetTopic(
  context: AccountContext,
  channel: Channel,
  { topic, conversation }: { topic: string; conversation: Conversation | undefined },
  after: number,
): Promise<number | undefined> {
  const { tx } = context;
  const stored = await tx.userTopics.ofTopic({ channel_id: channel.id, topic }, after, ROWS_PER_TRANSACTION);
  if (stored.length === 0) return undefined;
  const last = stored.length === ROWS_PER_TRANSACTION ? stored.at(-1)?.user_id : undefined;
  const whole = { viewer: context.actor.id, conversations: conversation ? [conversation.id] : [] };
  const left = await tx.messages.fetchIds(whole, 0, 'after', Number.MAX_SAFE_INTEGER);
  let gone = stored;
  if (left.length > 0) {
    if (hasSharedHistory(channel)) return undefined;
    const missing = await tx.messages.notReceived(
      stored.map(({ user_id }) => user_id),
      left,
      channel.id,
    );
    gone = stored.filter(({ user_id }) => missing.get(user_id)?.length === left.length);
  }
  const [topicSetting] = gone;
  if (!topicSetting) return last;
  const users = gone.map(({ user_id }) => user_id);
  await tx.userTopics.remove(users, topicSetting);
  emitUserTopic(context, users, { ...topicSetting, visibility_policy: INHERIT });
  return last;
}

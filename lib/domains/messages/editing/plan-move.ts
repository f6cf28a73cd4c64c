import { channelKnownTo } from '../../../access/channels.ts';
import { membershipOf } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, MoveMessagesTimeLimitExceeded } from '../../../kernel/errors.ts';

import { hasSharedHistory } from '../../../rules/channels.ts';
import { foldTopic } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isModerator } from '../../../rules/roles.ts';
import { resolveToggle, storedTopic } from '../../../rules/topics.ts';
import type { Channel, Conversation, PlacedMessage } from '../../../storage/storage.ts';
import { checkTopicPolicy, mayPost } from '../posting-permission.ts';
import { isWithin, mayMoveOut, mayMoveWithin, mayResolveTopics } from './message-permission.ts';

export type PropagateMode = 'change_one' | 'change_later' | 'change_all';

/** Where messages go, and which of them. */
export interface MovePlan {
  message: PlacedMessage;
  mode: PropagateMode;
  from: { conversation: Conversation; channel: Channel };
  to: { channel: Channel; topic: string };
  /** Ascending; undefined: everything in the conversation, with the id of the last message. */
  ids: readonly number[] | undefined;
  first_id: number;
  last_id: number;
}

/** Checks everything a move asks for and decides which messages it takes along; undefined when nothing would move. */
export async function planMove(
  context: AccountContext,
  message: PlacedMessage & { channel_id: number },
  wanted: { topic: string | undefined; stream_id: number | undefined; mode: PropagateMode },
): Promise<MovePlan | undefined> {
  const { tx, organization } = context;
  const shown = organizationSetting(organization, 'empty_topic_display_name');
  const topic = wanted.topic === undefined ? message.topic : storedTopic(wanted.topic, shown);
  const changesChannel = wanted.stream_id !== undefined && wanted.stream_id !== message.channel_id;
  if (topic === message.topic && !changesChannel) return undefined;
  const channel = (await tx.channels.byId(message.channel_id)) as Channel;
  const toggle = changesChannel ? undefined : resolveToggle(message.topic, topic);
  await checkPermission(context, channel, { changesTopic: topic !== message.topic, changesChannel, toggle });
  const target = changesChannel ? await targetChannel(context, wanted.stream_id as number) : channel;
  checkTopicPolicy(context, target, topic);
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  const chosen = await chosenMessages(context, message, channel, wanted.mode, { topic, changesChannel });
  if (!toggle) await checkAges(context, message, wanted.mode, changesChannel);
  return {
    message,
    mode: wanted.mode,
    from: { conversation: conversation as Conversation, channel },
    to: { channel: target, topic },
    ...chosen,
  };
}

async function checkPermission(
  context: AccountContext,
  channel: Channel,
  change: { changesTopic: boolean; changesChannel: boolean; toggle: 'resolved' | 'unresolved' | undefined },
): Promise<void> {
  const membership = await membershipOf(context, context.actor);
  if (change.toggle) {
    if (!mayResolveTopics(context, membership, channel)) throw new BadRequest('You are not allowed to resolve topics.');
  } else if (change.changesTopic && !mayMoveWithin(context, membership, channel)) {
    throw new BadRequest('You are not allowed to move messages to other topics.');
  }
  if (change.changesChannel && !mayMoveOut(context, membership, channel)) {
    throw new BadRequest('You are not allowed to move messages out of this channel.');
  }
}

async function targetChannel(context: AccountContext, id: number): Promise<Channel> {
  const { channel, isSubscribed } = await channelKnownTo(context, context.actor, id, { readable: true });
  await mayPost(context, channel, isSubscribed, context.actor);
  return channel;
}

/** Which messages go along. Where history is protected, only those the caller has received. */
async function chosenMessages(
  { tx, actor }: AccountContext,
  message: PlacedMessage,
  channel: Channel,
  mode: PropagateMode,
  change: { topic: string; changesChannel: boolean },
): Promise<Pick<MovePlan, 'ids' | 'first_id' | 'last_id'>> {
  const extent = (await tx.conversations.extent(message.conversation_id)) as { first_id: number; last_id: number };
  const { first_id, last_id } = extent;
  // The spelling belongs to the topic as a whole, so a change of case alone reaches all its messages.
  const respelled = !change.changesChannel && foldTopic(change.topic) === foldTopic(message.topic);
  const isWhole =
    mode === 'change_all' ||
    (mode === 'change_later' && message.id === first_id) ||
    (first_id === message.id && last_id === message.id);
  if (respelled || (isWhole && hasSharedHistory(channel))) return { ids: undefined, first_id, last_id };
  if (mode === 'change_one') return { ids: [message.id], first_id: message.id, last_id: message.id };
  const feed = { viewer: actor.id, conversations: [message.conversation_id] };
  const mine = hasSharedHistory(channel) ? feed : { ...feed, receivedOnlyIn: [channel.id] };
  const from = mode === 'change_later' ? message.id : first_id;
  const ids = await tx.messages.walk(mine, from - 1, 'after', Number.MAX_SAFE_INTEGER);
  if (isWhole) {
    const everything = await tx.messages.walk(feed, from - 1, 'after', ids.length + 1);
    if (everything.length === ids.length) return { ids: undefined, first_id, last_id };
  }
  return { ids, first_id: ids[0] as number, last_id: ids.at(-1) as number };
}

/** Refuses what is too old to be moved; moderators and above may move anything. */
async function checkAges(
  { tx, actor, organization, now }: AccountContext,
  message: PlacedMessage,
  mode: PropagateMode,
  changesChannel: boolean,
): Promise<void> {
  if (isModerator(actor)) return;
  const limit = organizationSetting(
    organization,
    changesChannel ? 'move_messages_between_streams_limit_seconds' : 'move_messages_within_stream_limit_seconds',
  );
  if (limit === null) return;
  if (mode === 'change_all') {
    const first = await tx.conversations.extent(message.conversation_id);
    if (!first || isWithin(limit, first.first_timestamp, now)) return;
    const counts = await tx.messages.countSince(message.conversation_id, Math.ceil(now / 1000 - limit));
    throw new MoveMessagesTimeLimitExceeded({
      first_message_id_allowed_to_move: counts.first_recent_id,
      total_messages_in_topic: counts.total,
      total_messages_allowed_to_move: counts.recent,
    });
  }
  if (!isWithin(limit, message.timestamp, now))
    throw new BadRequest('The time in which this message could be moved is over.');
}

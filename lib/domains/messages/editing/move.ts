import { BadRequest, MoveMessagesTimeLimitExceeded } from '../../../base/errors.ts';
import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import type { Channel } from '../../../model/channels.ts';
import { hasSharedHistory, isGrantedByEither, seesWholeHistory } from '../../../rules/channels.ts';
import { foldTopic } from '../../../rules/fold.ts';
import { isWithin, organizationSetting, withGrace } from '../../../rules/organization-settings.ts';
import { isModerator } from '../../../rules/roles.ts';
import { resolveToggle, storedTopic, type Truncation } from '../../../rules/topics.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { NewEdit } from '../../../storage/interface/edits.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import {
  type ChannelMessages,
  channelOf,
  conversationOf,
  type MoveAudience,
  moveAudience,
} from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { MovedMessages } from '../../../viewer/message-changes.ts';
import { noteArrival, noteDeparture } from '../channel-activity.ts';
import { checkPosting, checkTopicPolicy } from '../posting/destinations.ts';
import { messagesDeleted } from './events.ts';

type PropagateMode = MovedMessages['mode'];

export interface MovePlan {
  message: PlacedMessage;
  mode: PropagateMode;
  from: { conversation: Conversation; channel: Channel };
  to: { channel: Channel; topic: string };
  /** Ascending. Undefined for all messages of the conversation. */
  ids: number[] | undefined;
  first_id: number;
  last_id: number;
  targetHasMessages: boolean;
}

/** A whole topic moves to a topic without messages. Then it moves as one row. */
const isFree = ({ ids, targetHasMessages }: MovePlan) => ids === undefined && !targetHasMessages;

/** Undefined if nothing would move. Direct messages never move. */
export async function planMove(
  context: AccountContext,
  message: PlacedMessage,
  given: Truncation & { topic?: string | undefined; stream_id?: number | undefined; propagate_mode: PropagateMode },
): Promise<MovePlan | undefined> {
  if (message.channel_id === null) return undefined;
  const { stream_id, propagate_mode: mode } = given;
  const topic = given.topic === undefined ? message.topic : storedTopic(given.topic, context.organization, given);
  const newChannel = stream_id === message.channel_id ? undefined : stream_id;
  const changesChannel = newChannel !== undefined;
  if (topic === message.topic && !changesChannel) return undefined;
  const channel = await channelOf(context, message.channel_id);
  const toggle = changesChannel ? undefined : resolveToggle(message.topic, topic);
  await checkMoving(context, channel, { changesTopic: topic !== message.topic, changesChannel, toggle });
  const target = changesChannel ? await channelToMoveTo(context, newChannel) : channel;
  checkTopicPolicy(context, target, topic);
  const conversation = await conversationOf(context, message);
  const chosen = await chosenMessages(context, channel, { message, mode, topic, changesChannel });
  if (!toggle) await checkAges(context, message, { mode, changesChannel });
  const to = { channel: target, topic };
  const targetHasMessages = await hasMessages(context, to, conversation);
  return { message, mode, from: { conversation, channel }, to, ...chosen, targetHasMessages };
}

async function hasMessages({ tx }: AccountContext, { channel, topic }: MovePlan['to'], origin: Conversation) {
  const found = await tx.conversations.topic(channel.id, topic);
  return found !== undefined && found.id !== origin.id && (await tx.conversations.bounds(found.id)) !== undefined;
}

async function checkMoving(
  context: AccountContext,
  channel: Channel,
  change: { changesTopic: boolean; changesChannel: boolean; toggle: 'resolved' | 'unresolved' | undefined },
): Promise<void> {
  const membership = await context.viewer.membership();
  const check = (keys: Parameters<typeof isGrantedByEither>[3], refusal: string) => {
    if (!isGrantedByEither(context.organization, membership, channel, keys)) throw new BadRequest(refusal);
  };
  if (change.toggle) {
    const key = 'can_resolve_topics_group';
    check({ organization: key, channel: key }, 'You are not allowed to resolve topics.');
  } else if (change.changesTopic) {
    check(
      { organization: 'can_move_messages_between_topics_group', channel: 'can_move_messages_within_channel_group' },
      'You are not allowed to move messages to other topics.',
    );
  }
  if (change.changesChannel) {
    check(
      { organization: 'can_move_messages_between_channels_group', channel: 'can_move_messages_out_of_channel_group' },
      'You are not allowed to move messages out of this channel.',
    );
  }
}

async function channelToMoveTo(context: AccountContext, id: number): Promise<Channel> {
  const { channel, isSubscribed } = await context.viewer.channel(id, { readable: true });
  await checkPosting(context, context.actor, { channel, isSubscribed });
  return channel;
}

async function chosenMessages(
  { tx, actor }: AccountContext,
  channel: Channel,
  change: { message: PlacedMessage; mode: PropagateMode; topic: string; changesChannel: boolean },
): Promise<Pick<MovePlan, 'ids' | 'first_id' | 'last_id'>> {
  const { message, mode } = change;
  const extent = await tx.conversations.bounds(message.conversation_id);
  if (!extent) throw new Error(`Conversation ${message.conversation_id} has a message: it must have a first one.`);
  const { first_id, last_id } = extent;
  // A topic has a single spelling, so a change of case applies to all its messages.
  const respelled = !change.changesChannel && foldTopic(change.topic) === foldTopic(message.topic);
  const isWhole =
    mode === 'change_all' ||
    (mode === 'change_later' && message.id === first_id) ||
    (first_id === message.id && last_id === message.id);
  if (respelled || (isWhole && seesWholeHistory(actor, channel))) return { ids: undefined, first_id, last_id };
  if (mode === 'change_one') return { ids: [message.id], first_id: message.id, last_id: message.id };
  const query = { viewer: actor.id, conversations: [message.conversation_id] };
  const mine = seesWholeHistory(actor, channel) ? query : { ...query, receivedOnlyIn: [channel.id] };
  const from = mode === 'change_later' ? message.id : first_id;
  const ids = await tx.messages.fetchIds(mine, from - 1, 'after', Number.MAX_SAFE_INTEGER);
  if (isWhole) {
    const everything = await tx.messages.fetchIds(query, from - 1, 'after', ids.length + 1);
    if (everything.length === ids.length) return { ids: undefined, first_id, last_id };
  }
  return { ids, first_id: ids[0] ?? message.id, last_id: ids.at(-1) ?? message.id };
}

/** Throws if a message is too old to be moved. Moderators and higher roles have no limit. */
async function checkAges(
  { tx, actor, organization, now }: AccountContext,
  message: PlacedMessage,
  { mode, changesChannel }: { mode: PropagateMode; changesChannel: boolean },
): Promise<void> {
  if (isModerator(actor)) return;
  const limit = withGrace(
    organizationSetting(
      organization,
      changesChannel ? 'move_messages_between_streams_limit_seconds' : 'move_messages_within_stream_limit_seconds',
    ),
  );
  if (limit === null) return;
  if (mode === 'change_all') {
    const first = await tx.conversations.bounds(message.conversation_id);
    if (!first || isWithin(limit, first.first_timestamp, now)) return;
    const counts = await tx.messages.countSince(message.conversation_id, Math.ceil(now / 1000 - limit));
    throw new MoveMessagesTimeLimitExceeded({
      first_message_id_allowed_to_move: counts.first_recent_id,
      total_messages_in_topic: counts.total,
      total_messages_allowed_to_move: counts.recent,
    });
  }
  if (!isWithin(limit, message.timestamp, now)) throw new BadRequest('This message is too old to be moved.');
}

export type MovePart = NonNullable<Awaited<ReturnType<typeof nextPart>>>;

/**
 * The newest messages of a move, to be moved in their own transaction. Undefined if the rest fits into one transaction.
 * The message of the request moves last, because later parts need it to plan the move again.
 */
export async function nextPart({ tx, actor }: AccountContext, plan: MovePlan, most: number) {
  const { message, from } = plan;
  if (isFree(plan)) return undefined;
  const query = { viewer: actor.id, conversations: [from.conversation.id] };
  const all = plan.ids ?? (await tx.messages.fetchIds(query, Number.MAX_SAFE_INTEGER, 'before', most + 1));
  if (all.length <= most) return undefined;
  const ids = all.slice(-most).filter((id) => id !== message.id);
  return { ...plan, mode: 'change_later' as const, ids, first_id: present(ids[0]), last_id: present(ids.at(-1)) };
}

export interface Move {
  plan: MovePlan;
  ids: number[] | undefined;
  movedBy: number | undefined;
  conversation: Conversation;
  edit: MoveFields;
  readers: MoveAudience;
}

type MoveFields = Pick<
  NewEdit,
  'conversation_id' | 'prev_conversation_id' | 'part_of' | 'prev_topic' | 'topic' | 'prev_channel_id' | 'channel_id'
>;

/**
 * Moves messages as planned and writes their edit rows. If the content of a message is edited too, the caller writes
 * its edit row. Returns undefined and changes nothing if read ranges are scattered over both topics, so that one
 * transaction is too short.
 */
export async function moveMessages(context: AccountContext, plan: MovePlan, options: { isContentEdited: boolean }) {
  const { tx, now, actor } = context;
  const { from, to, first_id } = plan;
  const origin = from.conversation;
  const timestamp = Math.floor(now / 1000);
  const row = { editor_id: actor.id, timestamp, prev_content: null, prev_rendered_content: null };
  const readers = await moveAudience(context, from.channel, to.channel, await movingMessages(context, plan));
  let move: Move;
  if (isFree(plan)) {
    const place = { channel_id: to.channel.id, topic: to.topic };
    await tx.conversations.rename(origin, place, { timestamp, up_to: plan.last_id });
    const conversation = { ...origin, ...place };
    const edit = moveFields(plan, conversation);
    const movedBy = await tx.edits.add({ ...edit, ...row, message_id: null, up_to_message_id: plan.last_id });
    move = { plan, readers, ids: undefined, movedBy, conversation, edit: { ...edit, part_of: movedBy } };
  } else {
    const ids = plan.ids ?? (await allIds(context, origin));
    const conversation = await tx.conversations.ensureTopic(to.channel.id, to.topic);
    if (!(await tx.messages.move(ids, origin, conversation, timestamp))) return undefined;
    const edit = moveFields(plan, conversation);
    const others = options.isContentEdited ? ids.filter((id) => id !== plan.message.id) : ids;
    await tx.edits.addForEach(others, { ...edit, ...row, up_to_message_id: null });
    move = { plan, readers, ids, movedBy: undefined, conversation, edit };
  }
  if (to.channel.id !== from.channel.id) {
    await noteDeparture(context, from.channel, first_id);
    await noteArrival(context, to.channel, first_id);
  }
  return move;
}

function moveFields({ from, to }: MovePlan, { id, topic }: Conversation): MoveFields {
  const changesTopic = topic !== from.conversation.topic;
  const changesChannel = to.channel.id !== from.channel.id;
  return {
    conversation_id: id,
    prev_conversation_id: from.conversation.id,
    part_of: null,
    prev_topic: changesTopic ? from.conversation.topic : null,
    topic: changesTopic ? topic : null,
    prev_channel_id: changesChannel ? from.channel.id : null,
    channel_id: changesChannel ? to.channel.id : null,
  };
}

/** Sends events to users who can no longer see moved messages. */
export async function emitLosses({ tx, emit }: AccountContext, move: Move): Promise<void> {
  const { plan, conversation, ids, movedBy, readers } = move;
  const { channel, conversation: origin } = plan.from;
  const delivery = movedBy === undefined ? {} : { movedBy };
  const place = { message_type: 'stream' as const, stream_id: channel.id, topic: origin.topic };
  if (readers.lostAccess.length > 0) {
    await tx.flags.forget(readers.lostAccess, conversation.id, ids);
    const event = messagesDeleted({ ...place, ...(ids && { message_ids: ids }) });
    emit({ users: readers.lostAccess }, event, delivery);
  }
  // Users who lack the same messages share the same array.
  for (const [missing, those] of groupBy(readers.lostSome, ([, ids]) => ids)) {
    const message_ids = [...missing];
    const users = those.map(([user]) => user);
    await tx.flags.forget(users, conversation.id, message_ids);
    emit({ users }, messagesDeleted({ ...place, message_ids }));
  }
}

/** A whole topic is named by its bounds where no user's access depends on the single messages. */
async function movingMessages(context: AccountContext, plan: MovePlan): Promise<ChannelMessages> {
  const { from, to, ids, first_id: from_id, last_id: to_id } = plan;
  if (ids) return ids;
  if (hasSharedHistory(from.channel) && hasSharedHistory(to.channel)) {
    return { conversation_id: from.conversation.id, from_id, to_id };
  }
  return allIds(context, from.conversation);
}

function allIds({ tx, actor }: AccountContext, { id }: Conversation): Promise<number[]> {
  return tx.messages.fetchIds({ viewer: actor.id, conversations: [id] }, 0, 'after', Number.MAX_SAFE_INTEGER);
}

import type { AccountContext, ReadContext } from '../../../access/context.ts';
import {
  type ChannelMessages,
  channelMessagesAudience,
  outsideReaders,
  sharedHistoryAudience,
  withContentAccess,
} from '../../../access/messages.ts';
import type { User } from '../../../model/users.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { NewEdit } from '../../../storage/interface/edits.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import { noteArrival, noteDeparture } from '../channel-activity.ts';
import { flagsAdded } from '../flags/message-flags.ts';
import { messagesDeleted } from './events.ts';
import { isFree, type MovePlan } from './move-plan.ts';

/** A completed move. */
export interface Move {
  plan: MovePlan;
  /** The moved messages, ascending. Undefined if the whole topic moved as one row. */
  ids: number[] | undefined;
  /** ID of the edit row, if the whole topic moved as one row. */
  movedBy: number | undefined;
  /** The conversation of the messages after the move. */
  conversation: Conversation;
  /** The move fields of the edit rows. */
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
export async function moveMessages(
  context: AccountContext,
  plan: MovePlan,
  options: { isContentEdited: boolean },
): Promise<Move | undefined> {
  const { from, to, first_id } = plan;
  const readers = await moveAudience(context, plan);
  const moved = isFree(plan) ? await moveAsOne(context, plan) : await moveEach(context, plan, options);
  if (!moved) return undefined;
  if (to.channel.id !== from.channel.id) {
    await noteDeparture(context, from.channel, first_id);
    await noteArrival(context, to.channel, first_id);
  }
  return { plan, ...moved, readers };
}

type MoveResult = Omit<Move, 'plan' | 'readers'>;

async function moveAsOne({ tx, now, actor }: AccountContext, plan: MovePlan): Promise<MoveResult> {
  const origin = plan.from.conversation;
  const { channel, topic } = plan.to;
  const timestamp = Math.floor(now / 1000);
  await tx.conversations.rename(origin, { channel_id: channel.id, topic }, { timestamp, up_to: plan.last_id });
  const edit = { ...moveFields(plan, origin.id, topic), part_of: null };
  const row = { ...edit, ...byMoving(actor, timestamp), message_id: null, up_to_message_id: plan.last_id };
  const movedBy = await tx.edits.add(row);
  const conversation = { ...origin, channel_id: channel.id, topic };
  return { ids: undefined, movedBy, conversation, edit: { ...edit, part_of: movedBy } };
}

async function moveEach(
  { tx, now, actor }: AccountContext,
  { from, to, message, ...plan }: MovePlan,
  { isContentEdited }: { isContentEdited: boolean },
): Promise<MoveResult | undefined> {
  const timestamp = Math.floor(now / 1000);
  const origin = from.conversation;
  const whole = { viewer: actor.id, conversations: [origin.id] };
  const ids = plan.ids ?? (await tx.messages.fetchIds(whole, 0, 'after', Number.MAX_SAFE_INTEGER));
  const conversation = await tx.conversations.ensureTopic(to.channel.id, to.topic);
  if (!(await tx.messages.move(ids, origin, conversation, timestamp))) return undefined;
  const edit = { ...moveFields({ from, to }, conversation.id, conversation.topic), part_of: null };
  const untold = isContentEdited ? ids.filter((id) => id !== message.id) : ids;
  await tx.edits.addForEach(untold, { ...edit, ...byMoving(actor, timestamp), up_to_message_id: null });
  return { ids, movedBy: undefined, conversation, edit };
}

function byMoving(actor: User, timestamp: number) {
  return { editor_id: actor.id, timestamp, prev_content: null, prev_rendered_content: null };
}

function moveFields(
  { from, to }: Pick<MovePlan, 'from' | 'to'>,
  conversation_id: number,
  topic: string,
): Omit<MoveFields, 'part_of'> {
  const changesTopic = topic !== from.conversation.topic;
  const changesChannel = to.channel.id !== from.channel.id;
  return {
    conversation_id,
    prev_conversation_id: from.conversation.id,
    prev_topic: changesTopic ? from.conversation.topic : null,
    topic: changesTopic ? topic : null,
    prev_channel_id: changesChannel ? from.channel.id : null,
    channel_id: changesChannel ? to.channel.id : null,
  };
}

/** Sends events to users who can no longer see moved messages, and to users who now have them as read. */
export async function emitLosses(context: AccountContext, move: Move): Promise<void> {
  emitRead(context, move);
  await emitLostAccess(context, move);
}

/** Users who are not subscribed to the new channel have no unread messages there, so they get the messages as read. */
function emitRead({ emit }: AccountContext, { ids, movedBy, readers: { notSubscribed } }: Move): void {
  if (notSubscribed.length === 0) return;
  const event = flagsAdded({ operation: 'add', flag: 'read', all: false, ...(ids && { messages: ids }) });
  emit({ users: notSubscribed }, event, movedBy === undefined ? {} : { movedBy });
}

/** Sends a deletion to users who can no longer see moved messages, and removes their flags. */
async function emitLostAccess({ tx, emit }: AccountContext, move: Move): Promise<void> {
  const { plan, conversation, ids, movedBy, readers } = move;
  const { channel, conversation: origin } = plan.from;
  const place = { message_type: 'stream' as const, stream_id: channel.id, topic: origin.topic };
  if (readers.lostAccess.length > 0) {
    await tx.flags.forget(readers.lostAccess, conversation.id, ids);
    const event = messagesDeleted({ ...place, ...(ids && { message_ids: ids }) });
    emit({ users: readers.lostAccess }, event, movedBy === undefined ? {} : { movedBy });
  }
  // Users who lack the same messages share the same array.
  const alike = new Map<readonly number[], number[]>();
  for (const [user, missing] of readers.lostSome) {
    const group = alike.get(missing);
    if (group) group.push(user);
    else alike.set(missing, [user]);
  }
  for (const [missing, users] of alike) {
    const message_ids = [...missing];
    await tx.flags.forget(users, conversation.id, message_ids);
    emit({ users }, messagesDeleted({ ...place, message_ids }));
  }
}

/** Users who get the events of a move, and users who lose access or unread messages by it. */
interface MoveAudience {
  /** Users who can see moved messages before or after the move. */
  audience: Audience;
  /** Users who could read the messages before the move and cannot read them after it. */
  lostAccess: number[];
  /** By user ID: messages that the user can no longer read, if the user can still read others. */
  lostSome: ReadonlyMap<number, readonly number[]>;
  /**
   * Subscribers of only the old channel. They can read the messages, but have no unread messages in the new channel.
   */
  notSubscribed: number[];
}

/** Call it before the messages move. */
async function moveAudience(context: ReadContext, plan: MovePlan): Promise<MoveAudience> {
  const { from, to, first_id, last_id } = plan;
  const messages = plan.ids ?? { conversation_id: from.conversation.id, from_id: first_id, to_id: last_id };
  if (from.channel.id !== to.channel.id) return betweenChannels(context, plan, messages);
  const audience = hasSharedHistory(from.channel)
    ? await sharedHistoryAudience(context, from.channel, messages)
    : await protectedAudience(context, plan);
  return { audience, lostAccess: [], lostSome: new Map(), notSubscribed: [] };
}

async function betweenChannels(context: ReadContext, plan: MovePlan, messages: ChannelMessages): Promise<MoveAudience> {
  const { from, to } = plan;
  const subscribers = await context.tx.subscriptions.subscriberIds([from.channel.id, to.channel.id]);
  const arriving = subscribers.get(to.channel.id) ?? [];
  // With protected history, not every subscriber has received the messages.
  const isShared = hasSharedHistory(from.channel);
  const old = isShared
    ? (subscribers.get(from.channel.id) ?? [])
    : [...((await protectedAudience(context, plan)).users ?? [])];
  const former = isShared ? await outsideReaders(context, from.channel, messages) : [];
  const wereSubscribed = new Set(subscribers.get(from.channel.id));
  const isArriving = new Set(arriving);
  const isSubscribed = new Set(old);
  const knewThem = new Set([...old, ...former]);
  const leftBehind = [...knewThem].filter((id) => !isArriving.has(id));
  const isOut = new Set(await withoutAccess(context, plan, leftBehind));
  const lostSome = await missingThere(context, plan, arriving);
  const total = plan.ids?.length ?? (lostSome.size > 0 ? (await allIds(context, plan)).length : 0);
  for (const [id, missing] of lostSome) {
    if (missing.length < total) continue;
    lostSome.delete(id);
    isOut.add(id);
  }
  const seeing = [...new Set([...old, ...arriving, ...former])].filter((id) => !isOut.has(id));
  return {
    audience: isShared
      ? { channel: from.channel.id, users: seeing.filter((id) => !isSubscribed.has(id)), except: [...isOut] }
      : { users: seeing },
    lostAccess: [...isOut].filter((id) => knewThem.has(id)),
    lostSome: new Map([...lostSome].filter(([id]) => knewThem.has(id))),
    notSubscribed: old.filter((id) => wereSubscribed.has(id) && !isOut.has(id) && !isArriving.has(id)),
  };
}

async function protectedAudience(context: ReadContext, plan: MovePlan): Promise<Audience> {
  return channelMessagesAudience(context, plan.from.channel, plan.ids ?? (await allIds(context, plan)));
}

async function allIds({ tx }: ReadContext, { message, from }: MovePlan): Promise<number[]> {
  const query = { viewer: message.sender_id, conversations: [from.conversation.id] };
  return tx.messages.fetchIds(query, 0, 'after', Number.MAX_SAFE_INTEGER);
}

/** Users, not subscribed to the new channel, who may not read the messages in it. */
async function withoutAccess(context: ReadContext, { to }: MovePlan, userIds: readonly number[]): Promise<number[]> {
  if (to.channel.invite_only && !hasSharedHistory(to.channel)) return [...userIds];
  const isIn = new Set(await withContentAccess(context, to.channel, userIds));
  return userIds.filter((id) => !isIn.has(id));
}

/** By user ID: messages that subscribers of a channel with protected history would not have received there. */
async function missingThere(
  context: ReadContext,
  plan: MovePlan,
  userIds: readonly number[],
): Promise<Map<number, readonly number[]>> {
  if (hasSharedHistory(plan.to.channel)) return new Map();
  const ids = plan.ids ?? (await allIds(context, plan));
  return context.tx.messages.notReceived(userIds, ids, plan.to.channel.id);
}

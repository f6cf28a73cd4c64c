import type { AccountContext } from '../../../access/context.ts';
import { type ChannelMessages, type MoveAudience, moveAudience } from '../../../access/messages.ts';
import { groupBy } from '../../../base/group-by.ts';
import type { User } from '../../../model/users.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { NewEdit } from '../../../storage/interface/edits.ts';
import { noteArrival, noteDeparture } from '../channel-activity.ts';
import { flagsAdded } from '../flags/message-flags.ts';
import { messagesDeleted } from './events.ts';
import { isFree, type MovePlan } from './move-plan.ts';

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
export async function moveMessages(
  context: AccountContext,
  plan: MovePlan,
  options: { isContentEdited: boolean },
): Promise<Move | undefined> {
  const { from, to, first_id } = plan;
  const readers = await moveAudience(context, from.channel, to.channel, await movingMessages(context, plan));
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
  context: AccountContext,
  { from, to, message, ...plan }: MovePlan,
  { isContentEdited }: { isContentEdited: boolean },
): Promise<MoveResult | undefined> {
  const { tx, now, actor } = context;
  const timestamp = Math.floor(now / 1000);
  const origin = from.conversation;
  const ids = plan.ids ?? (await allIds(context, origin));
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

function emitRead({ emit }: AccountContext, { ids, movedBy, readers: { notSubscribed } }: Move): void {
  if (notSubscribed.length === 0) return;
  const event = flagsAdded({ operation: 'add', flag: 'read', all: false, ...(ids && { messages: ids }) });
  emit({ users: notSubscribed }, event, movedBy === undefined ? {} : { movedBy });
}

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

import type { AccountContext } from '../../../access/context.ts';
import { type ChannelMessages, type MoveAudience, moveAudience } from '../../../access/messages.ts';
import { groupBy } from '../../../base/lists.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { NewEdit } from '../../../storage/interface/edits.ts';
import { noteArrival, noteDeparture } from '../channel-activity.ts';
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

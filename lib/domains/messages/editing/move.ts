import type { AccountContext } from '../../../kernel/context.ts';

import type { Channel, Conversation, NewEdit } from '../../../storage/storage.ts';
import type { MovePlan } from './move-plan.ts';

const DAY_MS = 86_400_000;

/** What the move made of it all. */
export interface Moved {
  /** The moved messages, ascending; undefined where the whole topic moved as one. */
  ids: readonly number[] | undefined;
  /** Edit by which the whole topic moved as one. */
  movedBy: number | undefined;
  /** Where the messages are now. */
  conversation: Conversation;
  /** The part of the edit rows that tells of the move. */
  edit: MoveFields;
}

type MoveFields = Pick<
  NewEdit,
  'conversation_id' | 'prev_conversation_id' | 'part_of' | 'prev_topic' | 'topic' | 'prev_channel_id' | 'channel_id'
>;

/**
 * Moves messages as planned and writes their edits, but for the message whose content is edited too: its
 * row is written by the caller. A topic whose new name is free moves as one, however long it is.
 */
export async function moveMessages(context: AccountContext, plan: MovePlan, contentEdited: boolean): Promise<Moved> {
  const { tx, now, actor } = context;
  const timestamp = Math.floor(now / 1000);
  const origin = plan.from.conversation;
  const { channel, topic } = plan.to;
  if (channel.id !== plan.from.channel.id) await noteArrival(context, channel, plan.first_id);
  const found = await tx.conversations.topic(channel.id, topic);
  const isFree = !found || found.id === origin.id || !(await tx.conversations.extent(found.id));
  const editor = { editor_id: actor.id, timestamp, prev_content: null, prev_rendered_content: null };
  if (plan.ids === undefined && isFree) {
    await tx.conversations.rename(origin, { channel_id: channel.id, topic }, { timestamp, up_to: plan.last_id });
    const edit = { ...fieldsOf(plan, origin.id, topic), part_of: null };
    const movedBy = await tx.edits.add({ ...edit, ...editor, message_id: null, up_to_message_id: plan.last_id });
    const conversation = { ...origin, channel_id: channel.id, topic };
    return { ids: undefined, movedBy, conversation, edit: { ...edit, part_of: movedBy } };
  }
  const ids = plan.ids ?? (await messagesOf(context, origin.id));
  const target = await tx.conversations.ensureTopic(channel.id, topic);
  await tx.messages.move(ids, origin, target, timestamp);
  const edit = { ...fieldsOf(plan, target.id, target.topic), part_of: null };
  const alone = contentEdited ? ids.filter((id) => id !== plan.message.id) : ids;
  await tx.edits.addForEach(alone, { ...edit, ...editor, up_to_message_id: null });
  return { ids, movedBy: undefined, conversation: target, edit };
}

function fieldsOf({ from, to }: MovePlan, conversationId: number, topic: string): Omit<MoveFields, 'part_of'> {
  const changesTopic = topic !== from.conversation.topic;
  const changesChannel = to.channel.id !== from.channel.id;
  return {
    conversation_id: conversationId,
    prev_conversation_id: from.conversation.id,
    prev_topic: changesTopic ? from.conversation.topic : null,
    topic: changesTopic ? topic : null,
    prev_channel_id: changesChannel ? from.channel.id : null,
    channel_id: changesChannel ? to.channel.id : null,
  };
}

function messagesOf({ tx, actor }: AccountContext, conversationId: number): Promise<number[]> {
  return tx.messages.walk({ viewer: actor.id, conversations: [conversationId] }, 0, 'after', Number.MAX_SAFE_INTEGER);
}

async function noteArrival({ tx, now }: AccountContext, channel: Channel, firstId: number): Promise<void> {
  const first_message_id = Math.min(channel.first_message_id ?? firstId, firstId);
  const last_active_day = channel.last_active_day ?? Math.floor(now / DAY_MS);
  if (first_message_id === channel.first_message_id && last_active_day === channel.last_active_day) return;
  await tx.channels.update(channel.id, { first_message_id, last_active_day });
}

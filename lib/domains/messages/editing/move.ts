import type { AccountContext } from '../../../kernel/context.ts';
import { foldTopic } from '../../../rules/fold.ts';
import { resolveToggle } from '../../../rules/topics.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { NewEdit } from '../../../storage/interface/edits.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { User } from '../../../storage/interface/users.ts';
import { emitFirstMessage, noteDeparture } from '../first-message.ts';
import { flagsAdded } from '../flags/events.ts';
import { notifyChannel, silentMention } from '../notification-bot.ts';
import { messagesDeleted } from './events.ts';
import { type MoveAudience, moveAudience } from './move-audience.ts';
import type { MovePlan } from './move-plan.ts';
import { moveUserTopics } from './move-user-topics.ts';

const DAY_MS = 86_400_000;

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
  audience: Audience;
}

type MoveFields = Pick<
  NewEdit,
  'conversation_id' | 'prev_conversation_id' | 'part_of' | 'prev_topic' | 'topic' | 'prev_channel_id' | 'channel_id'
>;

/**
 * Moves messages as planned and writes their edit rows. Sends events to users who can no longer see them, and to users
 * who now have them as read.
 * If the content of a message is edited too, the caller writes its edit row.
 */
export async function moveMessages(
  context: AccountContext,
  plan: MovePlan,
  options: { isContentEdited: boolean; isPart?: boolean },
): Promise<Move> {
  const { from, to, first_id } = plan;
  const readers = await moveAudience(context, plan);
  const asOne = (await isFree(context, plan)) ? await moveAsOne(context, plan) : undefined;
  const targetHadMessages = plan.before?.targetHadMessages ?? (!asOne && (await hasMessages(context, plan)));
  const moved = asOne ?? (await moveEach(context, plan, options));
  if (to.channel.id !== from.channel.id) {
    await noteDeparture(context, from.channel, first_id);
    await noteArrival(context, to.channel, first_id);
  }
  const move = { plan, ...moved, audience: readers.audience };
  if (!options.isPart) await moveUserTopics(context, plan, moved.conversation, targetHadMessages);
  notifyNotSubscribed(context, move, readers);
  await notifyLostAccess(context, move, readers);
  return move;
}

export async function hasMessages({ tx }: AccountContext, { to }: MovePlan): Promise<boolean> {
  const found = await tx.conversations.topic(to.channel.id, to.topic);
  return found !== undefined && (await tx.conversations.bounds(found.id)) !== undefined;
}

type MoveResult = Omit<Move, 'plan' | 'audience'>;

/** Whether a whole topic moves to a topic without messages. Then it moves as one row. */
export async function isFree({ tx }: AccountContext, { ids, from, to }: MovePlan): Promise<boolean> {
  if (ids !== undefined) return false;
  const found = await tx.conversations.topic(to.channel.id, to.topic);
  return !found || found.id === from.conversation.id || !(await tx.conversations.bounds(found.id));
}

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
): Promise<MoveResult> {
  const timestamp = Math.floor(now / 1000);
  const origin = from.conversation;
  const whole = { viewer: actor.id, conversations: [origin.id] };
  const ids = plan.ids ?? (await tx.messages.fetchIds(whole, 0, 'after', Number.MAX_SAFE_INTEGER));
  const conversation = await tx.conversations.ensureTopic(to.channel.id, to.topic);
  if (!(await tx.messages.move(ids, origin, conversation, timestamp))) throw new TooScattered();
  const edit = { ...moveFields({ from, to }, conversation.id, conversation.topic), part_of: null };
  const untold = isContentEdited ? ids.filter((id) => id !== message.id) : ids;
  await tx.edits.addForEach(untold, { ...edit, ...byMoving(actor, timestamp), up_to_message_id: null });
  return { ids, movedBy: undefined, conversation, edit };
}

/** The messages cannot be moved in one transaction, because read ranges are scattered over both topics. */
export class TooScattered extends Error {}

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

async function noteArrival(context: AccountContext, channel: Channel, firstId: number): Promise<void> {
  const { tx, now } = context;
  const first_message_id = Math.min(channel.first_message_id ?? firstId, firstId);
  const last_active_day = channel.last_active_day ?? Math.floor(now / DAY_MS);
  const isFirst = first_message_id !== channel.first_message_id;
  if (!isFirst && last_active_day === channel.last_active_day) return;
  await tx.channels.update(channel.id, { first_message_id, last_active_day });
  if (isFirst) await emitFirstMessage(context, channel, first_message_id);
}

/** Users who are not subscribed to the new channel have no unread messages there, so they get the messages as read. */
function notifyNotSubscribed({ emit }: AccountContext, move: Move, { notSubscribed }: MoveAudience): void {
  if (notSubscribed.length === 0) return;
  const { ids, movedBy } = move;
  const event = flagsAdded({ operation: 'add', flag: 'read', all: false, ...(ids && { messages: ids }) });
  emit({ users: notSubscribed }, event, movedBy === undefined ? {} : { movedBy });
}

/** Sends a deletion to users who can no longer see moved messages, and removes their flags. */
async function notifyLostAccess({ tx, emit }: AccountContext, move: Move, readers: MoveAudience): Promise<void> {
  const { plan, conversation, ids, movedBy } = move;
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

const topicLink = (channel: Pick<Channel, 'name'>, topic: string) => `#**${channel.name}>${topic}**`;

/** Lets the notification bot announce the move in the old and in the new topic. */
export async function announceMove(
  context: AccountContext,
  { plan, ids, conversation: { topic } }: Move,
  wanted: { inOldPlace: boolean; inNewPlace: boolean },
): Promise<void> {
  const { actor } = context;
  const { from, to } = plan;
  const oldTopic = from.conversation.topic;
  const who = silentMention(actor);
  const notifyOld = (text: string) => notifyChannel(context, from.channel, oldTopic, text, actor);
  const notifyNew = (text: string) => notifyChannel(context, to.channel, topic, text, actor);
  const isSameChannel = from.channel.id === to.channel.id;
  const toggle = isSameChannel ? resolveToggle(oldTopic, topic) : undefined;
  if (toggle) {
    if (wanted.inNewPlace) await notifyNew(`${who} marked this topic as ${toggle}.`);
    return;
  }
  // A change of case is not a move.
  if (isSameChannel && foldTopic(oldTopic) === foldTopic(topic)) return;
  const count = (ids?.length ?? 0) + (plan.before?.messages ?? 0);
  const what = plan.ids === undefined ? 'this topic' : count === 1 ? 'a message' : `${count} messages`;
  // Do not reveal a private channel to users of the other channel.
  const named = (channel: Channel, name: string) =>
    channel.invite_only && !isSameChannel ? 'a private channel' : topicLink(channel, name);
  if (wanted.inNewPlace) await notifyNew(`${who} moved ${what} here from ${named(from.channel, oldTopic)}.`);
  if (wanted.inOldPlace) await notifyOld(`${who} moved ${what} from here to ${named(to.channel, topic)}.`);
}

import { withContentAccess } from '../../../access/messages.ts';
import type { AccountContext, ReadContext } from '../../../kernel/context.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import { foldTopic } from '../../../rules/fold.ts';
import { INHERIT, MUTED, mergedPolicy, type VisibilityPolicy } from '../../../rules/topic-visibility.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import { noteStarting } from '../topic-participation.ts';
import { emitUserTopic, mutedTopicsChanged } from '../user-topics/events.ts';
import type { MovePlan } from './move-plan.ts';

/** A user's settings for the old topic and the new topic before the move, and the resulting setting. */
interface Change {
  user: number;
  from: VisibilityPolicy;
  to: VisibilityPolicy;
  result: VisibilityPolicy;
}

/**
 * Moves the users' settings for a topic, after its messages have moved and the mover sees no message left in it. If the
 * new topic had messages, keeps the setting that shows more. Users who cannot read the new channel lose their setting.
 * If only a part of the topic became a new topic, the sender of its first message counts as the user who started it.
 */
export async function moveUserTopics(
  context: AccountContext,
  plan: MovePlan,
  conversation: Conversation,
  targetHadMessages: boolean,
): Promise<void> {
  if (await isGone(context, plan)) await carryOver(context, plan, targetHadMessages);
  else await noteNewTopic(context, plan, conversation);
}

async function isGone({ tx, actor }: AccountContext, { ids, mode, from }: MovePlan): Promise<boolean> {
  if (ids === undefined || mode === 'change_all') return true;
  const query = { viewer: actor.id, conversations: [from.conversation.id], ...received(from.channel) };
  return (await tx.messages.fetchIds(query, 0, 'after', 1)).length === 0;
}

const received = (channel: Channel) => (hasSharedHistory(channel) ? {} : { receivedOnlyIn: [channel.id] });

async function carryOver(context: AccountContext, plan: MovePlan, targetHadMessages: boolean): Promise<void> {
  const { tx, now, emit } = context;
  const from = { channel_id: plan.from.channel.id, topic: plan.from.conversation.topic };
  const to = { channel_id: plan.to.channel.id, topic: plan.to.topic };
  const isRespelled = from.channel_id === to.channel_id && foldTopic(from.topic) === foldTopic(to.topic);
  const stored = await tx.userTopics.ofTopics(isRespelled ? [from] : [from, to]);
  if (stored.length === 0) return;
  const isFrom = (one: typeof from) =>
    one.channel_id === from.channel_id && foldTopic(one.topic) === foldTopic(from.topic);
  const going = new Map(stored.filter(isFrom).map((one) => [one.user_id, one.visibility_policy]));
  const waiting = new Map(stored.filter((one) => !isFrom(one)).map((one) => [one.user_id, one.visibility_policy]));
  const people = [...new Set([...going.keys(), ...waiting.keys()])];
  const knowOld = await readersOf(context, plan.from.channel, people);
  const knowNew =
    plan.from.channel.id === plan.to.channel.id ? knowOld : await readersOf(context, plan.to.channel, people);
  const changes = people.map((user): Change => {
    const policy: VisibilityPolicy = going.get(user) ?? INHERIT;
    const other: VisibilityPolicy = waiting.get(user) ?? INHERIT;
    const kept = targetHadMessages ? mergedPolicy(policy, other) : policy;
    return { user, from: policy, to: other, result: knowNew.has(user) ? kept : INHERIT };
  });
  const last_updated = Math.floor(now / 1000);
  const leaving = changes.filter((change) => change.from !== INHERIT);
  await tx.userTopics.move(usersOf(leaving.filter(staysAsItIs)), from, { ...to, last_updated });
  await tx.userTopics.remove(usersOf(leaving.filter((change) => !staysAsItIs(change))), from);
  const lists = changes.filter((one) => [one.from, one.to, one.result].includes(MUTED) && knows(one.user));
  if (lists.length > 0) emit({ users: usersOf(lists) }, mutedTopicsChanged({}));
  const silent = { listsChange: false };
  const told = usersOf(leaving).filter((user) => knowOld.has(user));
  emitUserTopic({ emit, now }, told, from, INHERIT, silent);
  for (const result of [0, 1, 2, 3] as const) {
    const changed = changes.filter((one) => one.result === result && one.to !== result);
    const written = usersOf(changed.filter((one) => !staysAsItIs(one)));
    if (result === INHERIT) await tx.userTopics.remove(written, to);
    else await tx.userTopics.set(written, { ...to, visibility_policy: result, last_updated });
    emitUserTopic(
      { emit, now },
      usersOf(changed).filter((user) => knowNew.has(user)),
      to,
      result,
      silent,
    );
  }

  function knows(user: number): boolean {
    return knowOld.has(user) || knowNew.has(user);
  }
}

const usersOf = (changes: readonly Change[]) => changes.map((change) => change.user);

/** The setting does not change, and the user has no setting for the new topic, so the row can be moved. */
const staysAsItIs = ({ from, to, result }: Change) => from !== INHERIT && to === INHERIT && result === from;

/** The users who may read the channel. */
async function readersOf(context: ReadContext, channel: Channel, users: readonly number[]): Promise<Set<number>> {
  const subscriptions = await context.tx.subscriptions.pairs(users, [channel.id]);
  const readers = new Set(subscriptions.filter((one) => one.active).map((one) => one.user_id));
  const others = users.filter((user) => !readers.has(user));
  for (const user of await withContentAccess(context, channel, others)) readers.add(user);
  return readers;
}

async function noteNewTopic(
  context: AccountContext,
  { message, to: { channel } }: MovePlan,
  conversation: Conversation,
): Promise<void> {
  const { tx } = context;
  const sender = await tx.users.byId(message.sender_id);
  if (!sender?.is_active || !(await readersOf(context, channel, [sender.id])).has(sender.id)) return;
  const query = { viewer: sender.id, conversations: [conversation.id], ...received(channel) };
  const [first] = await tx.messages.fetchIds(query, 0, 'after', 1);
  if (first === message.id) await noteStarting(context, sender, conversation);
}

import { present } from '../../../base/present.ts';
import type { Channel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import { foldTopic } from '../../../rules/fold.ts';
import {
  AUTOMATIC_POLICY_DEFAULTS,
  type AutomaticPolicy,
  automaticPolicy,
  FOLLOWED,
  INHERIT,
  mergedPolicy,
  type Participation,
  shownTopic,
  type UNMUTED,
  type VisibilityPolicy,
} from '../../../rules/topics.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { TopicPlace } from '../../../storage/interface/personal.ts';
import { withContentAccess } from '../../../viewer/audiences.ts';
import type { AccountContext, ReadContext, WriteContext } from '../../../viewer/context.ts';
import type { ChannelPlace, MovedMessages, SentMessage } from '../../../viewer/message-changes.ts';
import { withoutBlockers } from '../blocking.ts';
import { listUserTopics } from './list.ts';
import { muteTopic } from './mute.ts';
import { setUserTopic } from './set.ts';
import {
  emitUserTopic,
  type MutedTopic,
  mutedTopics,
  mutedTopicsChanged,
  userTopicChanged,
  userTopicViews,
} from './visibility.ts';

/** Applies the sender's automatic follow and unmute settings. Call it before sending. */
async function noteSending(
  context: WriteContext,
  sender: User,
  { conversation, channel, isUnderWay }: ChannelPlace,
): Promise<typeof UNMUTED | typeof FOLLOWED | undefined> {
  // With protected history, do not reveal whether there were messages that the sender cannot see.
  const receivedOnly = !hasSharedHistory(channel);
  // In an existing topic of an unmuted channel, most messages need no query.
  const goesOn = { visibility_policy: INHERIT, is_channel_muted: false } as const;
  if (isUnderWay && !receivedOnly && automaticPolicy('sends', automaticPolicies(sender), goesOn) === undefined) return;
  return applyAutomaticPolicy(context, sender, conversation, { did: 'sends', inEmpty: 'starts', receivedOnly });
}

/** The same for a user who adds a reaction, or a vote in a poll. */
async function noteReaction(context: WriteContext, user: User, message: PlacedMessage): Promise<void> {
  if (message.channel_id === null) return;
  await applyAutomaticPolicy(context, user, { ...message, id: message.conversation_id }, { did: 'takes part' });
}

interface Action {
  did: Participation;
  /** Instead, if the topic had no messages. */
  inEmpty?: Participation;
  /** Counts only messages that the user has received. */
  receivedOnly?: boolean;
}

async function applyAutomaticPolicy(
  { tx, now, emit }: WriteContext,
  user: User,
  conversation: TopicPlace,
  { did, inEmpty = did, receivedOnly = false }: Action,
): Promise<typeof UNMUTED | typeof FOLLOWED | undefined> {
  if (user.bot_type !== null || user.is_system_bot) return undefined;
  const settings = automaticPolicies(user);
  // Most settings do not apply to this action, so no query is needed.
  const muted = { visibility_policy: INHERIT, is_channel_muted: true } as const;
  if (![inEmpty, did].some((action) => automaticPolicy(action, settings, muted) !== undefined)) return undefined;
  const standing = await tx.userTopics.standing(user.id, conversation, { receivedOnly });
  const policy = automaticPolicy(standing.has_messages ? did : inEmpty, settings, standing);
  if (policy === undefined) return undefined;
  const name = { channel_id: present(conversation.channel_id), topic: conversation.topic };
  await tx.userTopics.set([user.id], { ...name, visibility_policy: policy, last_updated: Math.floor(now / 1000) });
  emitUserTopic({ emit, now }, [user.id], { ...name, visibility_policy: policy });
  return policy;
}

function automaticPolicies({ settings }: User): { follow: AutomaticPolicy; unmute: AutomaticPolicy } {
  const own = { ...AUTOMATIC_POLICY_DEFAULTS, ...settings } as Record<keyof typeof AUTOMATIC_POLICY_DEFAULTS, unknown>;
  return {
    follow: own.automatically_follow_topics_policy as AutomaticPolicy,
    unmute: own.automatically_unmute_topics_in_muted_streams_policy as AutomaticPolicy,
  };
}

/** Makes mentioned users follow the topic if their settings say so. Mention flags must be set before. */
async function noteMentions(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  await Promise.all(messages.filter(({ to }) => 'channel' in to).map(followTopic));

  async function followTopic({ message, sender, to: { conversation }, named }: SentMessage): Promise<void> {
    const { tx, now } = context;
    const name = { channel_id: present(conversation.channel_id), topic: conversation.topic };
    const place = { ...name, last_updated: Math.floor(now / 1000) };
    const users = await withoutBlockers(context, sender, named);
    const following = await tx.userTopics.followWhereMentioned(message.id, users, place);
    emitUserTopic(context, following, { ...name, visibility_policy: FOLLOWED });
  }
}

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
async function moveUserTopics(context: AccountContext, move: MovedMessages): Promise<void> {
  if (await isGone(context, move)) await carryOver(context, move);
  else await noteNewTopic(context, move);
}

async function isGone({ tx, actor }: AccountContext, { ids, mode, from }: MovedMessages): Promise<boolean> {
  if (ids === undefined || mode === 'change_all') return true;
  const query = { viewer: actor.id, conversations: [from.conversation.id], ...received(from.channel) };
  return (await tx.messages.fetchIds(query, 0, 'after', 1)).length === 0;
}

const received = (channel: Channel) => (hasSharedHistory(channel) ? {} : { receivedOnlyIn: [channel.id] });

async function carryOver(context: AccountContext, move: MovedMessages): Promise<void> {
  const { tx, now, emit } = context;
  const from = { channel_id: move.from.channel.id, topic: move.from.conversation.topic };
  const to = { channel_id: move.to.channel.id, topic: move.to.topic };
  const isRespelled = from.channel_id === to.channel_id && foldTopic(from.topic) === foldTopic(to.topic);
  const stored = await tx.userTopics.ofTopics(isRespelled ? [from] : [from, to]);
  if (stored.length === 0) return;
  const going = new Map<number, VisibilityPolicy>();
  const waiting = new Map<number, VisibilityPolicy>();
  for (const { user_id, visibility_policy, channel_id, topic } of stored) {
    const isFrom = channel_id === from.channel_id && foldTopic(topic) === foldTopic(from.topic);
    (isFrom ? going : waiting).set(user_id, visibility_policy);
  }
  const people = [...new Set([...going.keys(), ...waiting.keys()])];
  const knowOld = await readersOf(context, move.from.channel, people);
  const knowNew = from.channel_id === to.channel_id ? knowOld : await readersOf(context, move.to.channel, people);
  const changes = people.map((user): Change => {
    const policies = { from: going.get(user) ?? INHERIT, to: waiting.get(user) ?? INHERIT };
    const kept = move.targetHadMessages ? mergedPolicy(policies.from, policies.to) : policies.from;
    return { user, ...policies, result: knowNew.has(user) ? kept : INHERIT };
  });
  const last_updated = Math.floor(now / 1000);
  const leaving = changes.filter((change) => change.from !== INHERIT);
  await tx.userTopics.move(usersOf(leaving.filter(staysAsItIs)), from, { ...to, last_updated });
  await tx.userTopics.remove(usersOf(leaving.filter((change) => !staysAsItIs(change))), from);
  const changing = changes.filter((change) => change.from !== INHERIT || change.to !== change.result);
  const lists = usersOf(changing).filter((user) => knowOld.has(user) || knowNew.has(user));
  if (lists.length > 0) emit({ users: lists }, mutedTopicsChanged({}));
  const silent = { withList: false };
  const knowing = usersOf(leaving).filter((user) => knowOld.has(user));
  emitUserTopic(context, knowing, { ...from, visibility_policy: INHERIT }, silent);
  for (const result of [0, 1, 2, 3] as const) {
    const changed = changes.filter((change) => change.result === result && change.to !== result);
    const written = usersOf(changed.filter((change) => !staysAsItIs(change)));
    if (result === INHERIT) await tx.userTopics.remove(written, to);
    else await tx.userTopics.set(written, { ...to, visibility_policy: result, last_updated });
    const audience = usersOf(changed).filter((user) => knowNew.has(user));
    emitUserTopic(context, audience, { ...to, visibility_policy: result }, silent);
  }
}

const usersOf = (changes: readonly Change[]) => changes.map((change) => change.user);

/** The setting does not change, and the user has no setting for the new topic, so the row can be moved. */
const staysAsItIs = ({ from, to, result }: Change) => from !== INHERIT && to === INHERIT && result === from;

async function readersOf(context: ReadContext, channel: Channel, users: readonly number[]): Promise<Set<number>> {
  const subscriptions = await context.tx.subscriptions.pairs(users, [channel.id]);
  const readers = new Set(subscriptions.filter((one) => one.active).map((one) => one.user_id));
  const others = users.filter((user) => !readers.has(user));
  for (const user of await withContentAccess(context, channel, others)) readers.add(user);
  return readers;
}

async function noteNewTopic(context: AccountContext, { message, to }: MovedMessages): Promise<void> {
  const { channel, conversation } = to;
  const { tx } = context;
  const sender = await tx.users.byId(message.sender_id);
  if (!sender?.is_active || !(await readersOf(context, channel, [sender.id])).has(sender.id)) return;
  const query = { viewer: sender.id, conversations: [conversation.id], ...received(channel) };
  const [first] = await tx.messages.fetchIds(query, 0, 'after', 1);
  if (first === message.id) await applyAutomaticPolicy(context, sender, conversation, { did: 'begins' });
}

/**
 * Topic settings of users: muted, followed, or unmuted in a muted channel. They are stored by topic name, so a topic
 * needs no messages. Personal settings can follow or unmute topics automatically when the user participates.
 */
export const userTopics = defineFeature({
  operations: [setUserTopic, muteTopic, listUserTopics],
  events: [mutedTopicsChanged, userTopicChanged],
  consequences: {
    sending: noteSending,
    sent: { of: 'with names', react: noteMentions },
    moved: moveUserTopics,
    reacted: noteReaction,
  },
  initialState: {
    user_topic: async ({ context, options }) => ({
      user_topics: await userTopicViews(context, context.actor, {
        allowEmpty: options.client_capabilities.empty_topic_name,
      }),
    }),
    // For older clients.
    muted_topics: async ({ context, options }) => {
      const { empty_topic_name } = options.client_capabilities;
      const muted = await mutedTopics(context, context.actor);
      const shown = (topic: string) => (empty_topic_name ? topic : shownTopic(topic, context.organization));
      return { muted_topics: muted.map(([channel, topic, time]): MutedTopic => [channel, shown(topic), time]) };
    },
  },
});

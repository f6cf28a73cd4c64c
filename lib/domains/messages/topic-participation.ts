import type { WriteContext } from '../../kernel/context.ts';
import { hasSharedHistory } from '../../rules/channels.ts';
import {
  AUTOMATIC_POLICY_DEFAULTS,
  type AutomaticPolicy,
  automaticPolicy,
  FOLLOWED,
  INHERIT,
  MUTED,
  type Participation,
  type UNMUTED,
} from '../../rules/topic-visibility.ts';
import type { TopicPlace } from '../../storage/interface/user-topics.ts';
import type { User } from '../../storage/interface/users.ts';
import type { ChannelPlace } from './posting/channel-place.ts';
import { emitUserTopic } from './user-topics/events.ts';

/**
 * Applies the automatic follow and unmute settings of a user who sends a message to a topic. Call it before sending.
 */
export async function noteSending(
  context: WriteContext,
  sender: User,
  { conversation, channel, isUnderWay }: ChannelPlace,
): Promise<typeof UNMUTED | typeof FOLLOWED | undefined> {
  // With protected history, do not reveal whether there were messages that the sender cannot see.
  const receivedOnly = !hasSharedHistory(channel);
  // In an existing topic of an unmuted channel, most messages need no query.
  const goesOn = { visibility_policy: INHERIT, is_channel_muted: false } as const;
  if (isUnderWay && !receivedOnly && automaticPolicy('sends', automaticPolicies(sender), goesOn) === undefined) return;
  return note(context, sender, conversation, ['starts', 'sends'], receivedOnly);
}

/** The same for a user whose message was moved and is now the first message of a topic. */
export async function noteStarting(context: WriteContext, sender: User, conversation: TopicPlace): Promise<void> {
  await note(context, sender, conversation, ['begins', 'begins'], false);
}

/** The same for a user who adds a reaction. */
export async function noteTakingPart(context: WriteContext, user: User, conversation: TopicPlace): Promise<void> {
  await note(context, user, conversation, ['takes part', 'takes part'], false);
}

async function note(
  { tx, now, emit }: WriteContext,
  user: User,
  conversation: TopicPlace,
  [ifEmpty, ifNot]: readonly [Participation, Participation],
  receivedOnly: boolean,
): Promise<typeof UNMUTED | typeof FOLLOWED | undefined> {
  if (user.bot_type !== null || user.is_system_bot) return undefined;
  const settings = automaticPolicies(user);
  // Most settings do not apply to this action, so no query is needed.
  if (![ifEmpty, ifNot].some((did) => mayChange(did, settings))) return undefined;
  const standing = await tx.userTopics.standing(user.id, conversation, receivedOnly);
  const policy = automaticPolicy(standing.has_messages ? ifNot : ifEmpty, settings, standing);
  if (policy === undefined) return undefined;
  const name = { channel_id: conversation.channel_id as number, topic: conversation.topic };
  await tx.userTopics.set([user.id], { ...name, visibility_policy: policy, last_updated: Math.floor(now / 1000) });
  emitUserTopic({ emit, now }, [user.id], name, policy, { listsChange: standing.visibility_policy === MUTED });
  return policy;
}

function automaticPolicies({ settings }: User): { follow: AutomaticPolicy; unmute: AutomaticPolicy } {
  const own = { ...AUTOMATIC_POLICY_DEFAULTS, ...settings } as Record<keyof typeof AUTOMATIC_POLICY_DEFAULTS, unknown>;
  return {
    follow: own.automatically_follow_topics_policy as AutomaticPolicy,
    unmute: own.automatically_unmute_topics_in_muted_streams_policy as AutomaticPolicy,
  };
}

function mayChange(did: Participation, settings: { follow: AutomaticPolicy; unmute: AutomaticPolicy }): boolean {
  return automaticPolicy(did, settings, { visibility_policy: 0, is_channel_muted: true }) !== undefined;
}

/** Makes mentioned users follow the topic, if they can see the message and their settings say so. */
export async function noteMentions(
  { tx, now, emit }: WriteContext,
  conversation: Pick<TopicPlace, 'channel_id' | 'topic'>,
  named: readonly number[],
  messageId: number,
): Promise<void> {
  if (conversation.channel_id === null || named.length === 0) return;
  const name = { channel_id: conversation.channel_id, topic: conversation.topic };
  const following = await tx.userTopics.followWhereMentioned(messageId, named, {
    ...name,
    last_updated: Math.floor(now / 1000),
  });
  emitUserTopic({ emit, now }, following, name, FOLLOWED, { listsChange: false });
}

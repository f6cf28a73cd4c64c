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

/** What the personal settings make of the topic for somebody who begins or goes on with it, before they do. */
export async function noteSending(
  context: WriteContext,
  sender: User,
  { conversation, channel, isUnderWay }: ChannelPlace,
): Promise<typeof UNMUTED | typeof FOLLOWED | undefined> {
  // Whether there were messages that they could not see is not for them to learn.
  const receivedOnly = !hasSharedHistory(channel);
  // Whatever they have set, no setting that waits for a topic to begin or a muted channel reaches here: most messages ask for nothing.
  const goesOn = { visibility_policy: INHERIT, is_channel_muted: false } as const;
  if (isUnderWay && !receivedOnly && automaticPolicy('sends', automaticPolicies(sender), goesOn) === undefined) return;
  return note(context, sender, conversation, ['starts', 'sends'], receivedOnly);
}

/** Likewise for somebody with whose message a topic begins now, because it was moved there. */
export async function noteStarting(context: WriteContext, sender: User, conversation: TopicPlace): Promise<void> {
  await note(context, sender, conversation, ['begins', 'begins'], false);
}

/** Likewise for somebody who reacts to what others wrote. */
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
  // Most settings need not be looked into: they wait for more than this.
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

/** Lets those follow the topic who are mentioned by a message, can see it, and want that. */
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

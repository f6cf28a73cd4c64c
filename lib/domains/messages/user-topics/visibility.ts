import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { describe, type ValuesOf } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { User } from '../../../model/users.ts';
import { emptyTopicOf, INHERIT, MUTED, shownTopic, type VisibilityPolicy } from '../../../rules/topics.ts';
import type { TopicName, UserTopic } from '../../../storage/interface/personal.ts';
import type { AccountContext, WriteContext } from '../../../viewer/context.ts';
import { startOver } from '../../../viewer/user-visibility.ts';
import { findChannel, type LookupContext, MISSING_ID, viewerOf } from '../../../viewer/viewer.ts';
import { topicForClient, withTopicsFor } from '../message-view.ts';

/** The user's topic settings in channels that are not archived and that the user may know of. */
async function shownTopics(context: LookupContext, user: User) {
  const topics = await context.tx.userTopics.ofUser(user.id);
  if (topics.length === 0) return [];
  const channels = await context.tx.channels.byIds([...new Set(topics.map((topic) => topic.channel_id))]);
  const inUse = channels.filter((channel) => !channel.is_archived);
  const { known } = await viewerOf(context, user).knownChannels(inUse);
  const byId = new Map(known.map(({ channel }) => [channel.id, channel]));
  return topics.flatMap((topic) => {
    const channel = byId.get(topic.channel_id);
    return channel ? [{ topic, channel }] : [];
  });
}

const mutedTopic = v.tuple([v.string(), v.string(), v.number()]);

export type MutedTopic = v.InferOutput<typeof mutedTopic>;

/** The user's muted topics, in the format of older clients. */
export async function mutedTopics(context: LookupContext, user: User): Promise<MutedTopic[]> {
  const muted = (await shownTopics(context, user)).filter(({ topic }) => topic.visibility_policy === MUTED);
  return muted.map(({ topic, channel }) => [channel.name, topic.topic, topic.last_updated]);
}

export const userTopicFields = {
  stream_id: v.number(),
  topic_name: v.string(),
  last_updated: describe(v.number(), 'Time of the change: UNIX time in seconds.'),
  visibility_policy: describe(v.picklist([0, 1, 2, 3]), '0 none, 1 muted, 2 unmuted, 3 followed.'),
};

type UserTopicFields = ValuesOf<typeof userTopicFields>;

/** The user's topic settings in the API. `allowEmpty`: the client has the capability `empty_topic_name`. */
export async function userTopicViews(
  context: LookupContext,
  user: User,
  { allowEmpty = false }: { allowEmpty: boolean | undefined },
) {
  return (await shownTopics(context, user)).map(
    ({ topic: { channel_id, topic, last_updated, visibility_policy } }) => ({
      stream_id: channel_id,
      topic_name: allowEmpty ? topic : shownTopic(topic, context.organization),
      last_updated,
      visibility_policy,
    }),
  );
}

export const userTopicChanged = defineEvent('user_topic', {
  summary: 'You muted, unmuted or followed a topic, or removed this setting.',
  fields: userTopicFields,
  forClient: (event: UserTopicFields, client) => withTopicsFor(client, event, ['topic_name']),
});

export const mutedTopicsChanged = defineEvent('muted_topics', {
  summary: 'All topics that you have muted. For older clients.',
  fields: { muted_topics: v.array(mutedTopic) },
  // An event can have thousands of receivers with thousands of muted topics each, so the list is looked up.
  lookUp: { forReader: async (look, reader) => ({ muted_topics: await mutedTopics(look, reader) }) },
  forClient: ({ muted_topics = [] }: { muted_topics?: MutedTopic[] }, client) => ({
    muted_topics: muted_topics.map(
      ([channel, topic, time]): MutedTopic => [channel, topicForClient(topic, client), time],
    ),
  }),
});

/** Sends users their new setting for a topic. `withList`: also the list of muted topics. */
export function emitUserTopic(
  { emit, now }: Pick<WriteContext, 'emit' | 'now'>,
  users: readonly number[],
  { channel_id: stream_id, topic: topic_name, visibility_policy }: TopicName & { visibility_policy: VisibilityPolicy },
  { withList = true, last_updated = Math.floor(now / 1000) } = {},
): void {
  if (users.length === 0) return;
  if (withList) emit({ users }, mutedTopicsChanged({}));
  emit({ users }, userTopicChanged({ stream_id, topic_name, last_updated, visibility_policy }));
}

/** Topic settings that a change sends again, per user and in total. Each may be an event. */
const MAX_TOPICS_PER_USER = 1_000;
const MAX_TOPICS_IN_ALL = 20_000;

/**
 * Sends users their topic settings in channels that they can see again.
 * @param seen user IDs by channel ID. Users with too many settings must register again; if there are too many settings
 *   in total, all users must.
 */
export async function emitUserTopicsIn(
  context: Pick<WriteContext, 'emit' | 'now' | 'tx'>,
  seen: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const users = [...new Set([...seen.values()].flat())];
  const found = await context.tx.userTopics.inChannels([...seen.keys()], users, MAX_TOPICS_IN_ALL + 1);
  if (found.length > MAX_TOPICS_IN_ALL) return startOver(context, users);
  const see = new Map([...seen].map(([channel, theirs]) => [channel, new Set(theirs)]));
  const theirs = found.filter(({ channel_id, user_id }) => see.get(channel_id)?.has(user_id));
  const byUser = [...groupBy(theirs, ({ user_id }) => user_id)];
  const crowded = byUser.filter(([, topics]) => topics.length > MAX_TOPICS_PER_USER).map(([user]) => user);
  await startOver(context, crowded);
  const topics = theirs.filter(({ user_id }) => !crowded.includes(user_id));
  const lists = [...new Set(topics.map(({ user_id }) => user_id))];
  if (lists.length > 0) context.emit({ users: lists }, mutedTopicsChanged({}));
  const keyOf = ({ user_id: _, ...topic }: UserTopic) => JSON.stringify(topic);
  for (const alike of groupBy(topics, keyOf).values()) {
    const users = alike.map(({ user_id }) => user_id);
    const setting = present(alike[0]);
    emitUserTopic(context, users, setting, { withList: false, last_updated: setting.last_updated });
  }
}

/** Topic settings per user. Clients load all of them at start. Concurrent requests can exceed the limit slightly. */
const MAX_TOPICS = 50_000;

/**
 * Sets the caller's policy for a topic and sends an event. Does nothing if the policy does not change.
 * @param channelAddress channel ID or name
 * @throws BadRequest if the channel is archived or the caller cannot read it. To remove a policy, the caller only needs
 *   to know of the channel, or to have a policy there.
 */
export async function changeVisibility(
  context: AccountContext,
  channelAddress: number | string,
  given: string,
  visibility_policy: VisibilityPolicy,
): Promise<void> {
  const { tx, actor, organization, now } = context;
  const topic = emptyTopicOf(given.normalize('NFC'), organization);
  if (visibility_policy === INHERIT) {
    const channel = await findChannel(context, channelAddress);
    const present = await tx.userTopics.get(actor.id, { channel_id: channel?.id ?? MISSING_ID, topic });
    if (present) {
      await tx.userTopics.remove([actor.id], present);
      emitUserTopic(context, [actor.id], { ...present, visibility_policy: INHERIT });
    } else if ((await context.viewer.knownChannels(channel ? [channel] : [])).known.length === 0)
      throw new BadRequest(`You have no setting for the topic "${given}" in a channel "${channelAddress}".`);
    return;
  }
  const { channel } = await context.viewer.channel(channelAddress, { readable: true });
  const name = { channel_id: channel.id, topic };
  const present = await tx.userTopics.get(actor.id, name);
  if (present?.visibility_policy === visibility_policy) return;
  if (!present && (await tx.userTopics.count(actor.id)) >= MAX_TOPICS)
    throw new BadRequest(`You can have settings for at most ${MAX_TOPICS} topics. Remove some settings first.`);
  await tx.userTopics.set([actor.id], { ...name, visibility_policy, last_updated: Math.floor(now / 1000) });
  emitUserTopic(context, [actor.id], { ...name, visibility_policy });
}

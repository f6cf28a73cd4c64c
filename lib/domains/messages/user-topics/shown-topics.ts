import * as v from 'valibot';
import { knownChannels } from '../../../access/channels.ts';
import type { LookupContext } from '../../../kernel/context.ts';
import { MUTED } from '../../../rules/topic-visibility.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { UserTopic } from '../../../storage/interface/user-topics.ts';
import type { User } from '../../../storage/interface/users.ts';

interface ShownTopic {
  topic: UserTopic;
  channel: Channel;
}

/** The user's topic settings in channels that are not archived and that the user may know of. */
export async function shownTopics(context: LookupContext, user: User): Promise<ShownTopic[]> {
  const topics = await context.tx.userTopics.ofUser(user.id);
  if (topics.length === 0) return [];
  const channels = await context.tx.channels.byIds([...new Set(topics.map((topic) => topic.channel_id))]);
  const inUse = channels.filter((channel) => !channel.is_archived);
  const { known } = await knownChannels(context, user, inUse);
  const byId = new Map(known.map(({ channel }) => [channel.id, channel]));
  return topics.flatMap((topic) => {
    const channel = byId.get(topic.channel_id);
    return channel ? [{ topic, channel }] : [];
  });
}

/** Channel name, topic, and time of muting: UNIX time in seconds. */
export const mutedTopic = v.tuple([v.string(), v.string(), v.number()]);

/** A muted topic in the format of older clients. Empty if the topic is not muted. */
export function mutedTopicView({ topic, channel }: ShownTopic): v.InferOutput<typeof mutedTopic>[] {
  return topic.visibility_policy === MUTED ? [[channel.name, topic.topic, topic.last_updated]] : [];
}

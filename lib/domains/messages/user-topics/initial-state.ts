import type { Snapshot } from '../../../kernel/context.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import { mutedTopicView, shownTopics } from './shown-topics.ts';

export async function userTopicsState(snapshot: Snapshot) {
  const show = topicShown(snapshot);
  const topics = await shownTopics(snapshot.context, snapshot.context.actor);
  return {
    user_topics: topics.map(({ topic: { channel_id, topic, last_updated, visibility_policy } }) => ({
      stream_id: channel_id,
      topic_name: show(topic),
      last_updated,
      visibility_policy,
    })),
  };
}

/** For older clients. */
export async function mutedTopicsState(snapshot: Snapshot) {
  const show = topicShown(snapshot);
  const topics = await shownTopics(snapshot.context, snapshot.context.actor);
  return {
    muted_topics: topics
      .flatMap(mutedTopicView)
      .map(([channel, topic, time]): [string, string, number] => [channel, show(topic), time]),
  };
}

function topicShown({ context, options }: Snapshot): (topic: string) => string {
  const shown = organizationSetting(context.organization, 'empty_topic_display_name');
  const allowsEmpty = options.client_capabilities.empty_topic_name ?? false;
  return (topic) => shownTopic(topic, shown, allowsEmpty);
}

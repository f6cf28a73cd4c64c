import type { Snapshot } from '../../../access/context.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import { mutedTopicsChanged, mutedTopicView, shownTopics, userTopicChanged } from './events.ts';
import { listUserTopics } from './list.ts';
import { muteTopic } from './mute.ts';
import { setUserTopic } from './set.ts';
import { moveUserTopics, noteMentions, noteReaction, noteSending } from './topic-participation.ts';

/**
 * Topic settings of users: muted, followed, or unmuted in a muted channel. They are stored by topic name, so a topic
 * needs no messages. Personal settings can follow or unmute topics automatically when the user participates.
 */
export const userTopics = defineFeature({
  operations: [setUserTopic, muteTopic, listUserTopics],
  events: [mutedTopicsChanged, userTopicChanged],
  consequences: { sending: noteSending, sent: noteMentions, moved: moveUserTopics, reacted: noteReaction },
  initialState: { user_topic: userTopicsState, muted_topics: mutedTopicsState },
});

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

import { defineFeature } from '../../../operation/feature.ts';
import { shownTopic } from '../../../rules/topics.ts';
import { listUserTopics } from './list.ts';
import { muteTopic } from './mute.ts';
import { setUserTopic } from './set.ts';
import { moveUserTopics, noteMentions, noteReaction, noteSending } from './topic-participation.ts';
import { type MutedTopic, mutedTopics, mutedTopicsChanged, userTopicChanged, userTopicViews } from './visibility.ts';

/**
 * Topic settings of users: muted, followed, or unmuted in a muted channel. They are stored by topic name, so a topic
 * needs no messages. Personal settings can follow or unmute topics automatically when the user participates.
 */
export const userTopics = defineFeature({
  operations: [setUserTopic, muteTopic, listUserTopics],
  events: [mutedTopicsChanged, userTopicChanged],
  consequences: { sending: noteSending, sent: noteMentions, moved: moveUserTopics, reacted: noteReaction },
  initialState: {
    user_topic: async ({ context, options }) => ({
      user_topics: await userTopicViews(context, context.actor, options.client_capabilities.empty_topic_name),
    }),
    // For older clients.
    muted_topics: async ({ context, options }) => {
      const { empty_topic_name } = options.client_capabilities;
      const muted = await mutedTopics(context, context.actor);
      const shown = (topic: string) => shownTopic(topic, context.organization, empty_topic_name);
      return { muted_topics: muted.map(([channel, topic, time]): MutedTopic => [channel, shown(topic), time]) };
    },
  },
});

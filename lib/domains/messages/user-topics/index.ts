import { defineFeature } from '../../../kernel/feature.ts';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import { mutedTopicsState, userTopicsState } from './initial-state.ts';
import { listUserTopics } from './list.ts';
import { muteTopic } from './mute.ts';
import { setUserTopic } from './set.ts';

/**
 * Topic settings of users: muted, followed, or unmuted in a muted channel. They are stored by topic name, so a topic
 * needs no messages. Personal settings can follow or unmute topics automatically when the user participates.
 */
export const userTopics = defineFeature({
  operations: [setUserTopic, muteTopic, listUserTopics],
  events: [mutedTopicsChanged, userTopicChanged],
  initialState: { user_topic: userTopicsState, muted_topics: mutedTopicsState },
});

import { defineFeature } from '../../../kernel/feature.ts';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import { mutedTopicsState, userTopicsState } from './initial-state.ts';
import { listUserTopics } from './list.ts';
import { muteTopic } from './mute.ts';
import { setUserTopic } from './set.ts';

/**
 * What each person wants to see of topics: muted, followed, or shown though their channel is muted. It is kept
 * by name, so a topic without messages can be muted too. Personal settings let it follow from taking part.
 */
export const userTopics = defineFeature({
  operations: [setUserTopic, muteTopic, listUserTopics],
  events: [mutedTopicsChanged, userTopicChanged],
  initialState: { user_topic: userTopicsState, muted_topics: mutedTopicsState },
});

import { choice, describe, id, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_TOPIC_LENGTH } from '../../../rules/names.ts';
import { changeVisibility } from './visibility.ts';

export const setUserTopic = defineOperation({
  name: 'userTopics.set',
  http: 'POST /user_topics',
  summary: 'Mute, unmute or follow a topic, or remove its setting',
  description: 'The topic needs no messages.',
  example: { stream_id: 3, topic: 'lunch', visibility_policy: 3 },
  access: 'user',
  effect: 'mark',
  params: {
    stream_id: id,
    topic: describe(text(MAX_TOPIC_LENGTH), 'Topic name, ignoring case.'),
    visibility_policy: describe(
      choice([0, 1, 2, 3]),
      '0 none, 1 muted, 2 unmuted (even if its channel is muted), 3 followed.',
    ),
  },
  async run(context, { stream_id, topic, visibility_policy }) {
    await changeVisibility(context, stream_id, topic, visibility_policy);
  },
});

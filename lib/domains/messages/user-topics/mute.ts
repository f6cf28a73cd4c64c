import { BadRequest } from '../../../base/errors.ts';
import { choice, describe, id, optional, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_TOPIC_LENGTH } from '../../../rules/names.ts';
import { INHERIT, MUTED } from '../../../rules/topics.ts';
import { changeVisibility } from './visibility.ts';

export const muteTopic = defineOperation({
  name: 'userTopics.mute',
  http: 'PATCH /users/me/subscriptions/muted_topics',
  summary: 'Mute a topic, or remove its setting',
  description: 'Deprecated: use POST /user_topics. Set either `stream_id` or `stream`.',
  example: { stream_id: 3, topic: 'lunch', op: 'add' },
  access: 'user',
  effect: 'mark',
  params: {
    stream_id: optional(id, 'Channel ID.'),
    stream: optional(text(), 'Channel name.'),
    topic: describe(text(MAX_TOPIC_LENGTH), 'Topic name, ignoring case. The topic needs no messages.'),
    op: describe(
      choice(['add', 'remove']),
      '`add` mutes the topic. `remove` removes any setting: muted, unmuted or followed.',
    ),
  },
  async run(context, { stream_id, stream, topic, op }) {
    if (stream_id !== undefined && stream !== undefined) {
      throw new BadRequest('Set "stream_id" or "stream", not both.', { parameters: 'stream_id, stream' });
    }
    const channel = stream_id ?? stream;
    if (channel === undefined) throw new BadRequest('The parameter "stream_id" is required.');
    await changeVisibility(context, channel, topic, op === 'add' ? MUTED : INHERIT);
  },
});

import * as v from 'valibot';
import { describe, flag } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import { shownTopics, userTopicFields } from './events.ts';

export const listUserTopics = defineOperation({
  name: 'userTopics.list',
  http: 'GET /user_topics',
  summary: 'List the topics that you have muted, unmuted or followed',
  description: 'Leaves out topics of archived channels and of channels that you have lost access to.',
  access: 'user',
  effect: 'read',
  params: v.object({
    allow_empty_topic_name: v.optional(
      describe(flag, 'Return the empty topic as "" instead of its display name.'),
      false,
    ),
  }),
  result: v.object({ user_topics: v.array(v.object(userTopicFields)) }),
  errors: [],
  async run(context, { allow_empty_topic_name }) {
    const shown = organizationSetting(context.organization, 'empty_topic_display_name');
    return {
      user_topics: (await shownTopics(context, context.actor)).map(({ topic: { channel_id, topic, ...rest } }) => ({
        stream_id: channel_id,
        topic_name: shownTopic(topic, shown, allow_empty_topic_name),
        last_updated: rest.last_updated,
        visibility_policy: rest.visibility_policy,
      })),
    };
  },
});

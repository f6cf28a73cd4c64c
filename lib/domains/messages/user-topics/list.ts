import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { messageViewParams } from '../message-view.ts';
import { userTopicFields, userTopicViews } from './visibility.ts';

export const listUserTopics = defineOperation({
  name: 'userTopics.list',
  http: 'GET /user_topics',
  summary: 'List the topics that you have muted, unmuted or followed',
  description: 'Leaves out topics of archived channels and of channels that you have lost access to.',
  access: 'user',
  params: { allow_empty_topic_name: messageViewParams.allow_empty_topic_name },
  result: v.object({ user_topics: v.array(v.object(userTopicFields)) }),
  async run(context, { allow_empty_topic_name }) {
    return { user_topics: await userTopicViews(context, context.actor, { allowEmpty: allow_empty_topic_name }) };
  },
});

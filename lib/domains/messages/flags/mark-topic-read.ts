import * as v from 'valibot';
import { accessChannel } from '../../../access/channels.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, id, text } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { storedTopic } from '../../../rules/topics.ts';
import { markInParts } from './mark-in-parts.ts';

export const markTopicRead = defineOperation({
  name: 'messages.markTopicRead',
  http: 'POST /mark_topic_as_read',
  summary: 'Mark everything in a topic as read',
  example: { stream_id: 3, topic_name: 'lunch' },
  access: 'user',
  effect: 'manual',
  params: v.object({ stream_id: id, topic_name: describe(text(), 'The topic; it must have messages.') }),
  result: empty,
  errors: [BadRequest],
  async run(manual, { stream_id, topic_name }) {
    await markInParts(manual, async (context) => {
      const { tx, actor, organization } = context;
      const { channel } = await accessChannel(context, actor, stream_id, { archived: true });
      const topic = storedTopic(topic_name, organizationSetting(organization, 'empty_topic_display_name'));
      const conversation = await tx.conversations.topic(channel.id, topic);
      if (!conversation || !(await tx.conversations.bounds(conversation.id))) {
        throw new BadRequest(`There is no topic "${topic_name}" in this channel.`);
      }
      return { conversation_id: conversation.id };
    });
    return {};
  },
});

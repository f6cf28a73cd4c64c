import { BadRequest } from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import { describe, id, nonEmptyText } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import { searchedTopic } from '../../../rules/topics.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { MISSING_ID } from '../../../viewer/viewer.ts';
import { markInParts } from './mark-in-parts.ts';

export const markTopicRead = defineOperation({
  name: 'messages.markTopicRead',
  http: 'POST /mark_topic_as_read',
  summary: 'Mark all messages in a topic as read',
  example: { stream_id: 3, topic_name: 'lunch' },
  access: 'user',
  forRooms: true,
  effect: 'manual',
  params: { stream_id: id, topic_name: describe(nonEmptyText(), 'Topic name. The topic must have messages.') },
  async run(manual, { stream_id, topic_name }) {
    await markInParts(manual, async (context) => {
      const { tx, organization } = context;
      const topic = searchedTopic(topic_name, organization);
      const [{ channel }, conversation] = await allInOrder([
        context.viewer.channel(stream_id, { archived: true, readable: true }),
        tx.conversations.topic(stream_id, topic),
      ]);
      // A missing topic takes the same statements as a hidden one.
      if (!(await hasMessages(context, channel, conversation?.id ?? MISSING_ID)) || !conversation) {
        throw new BadRequest(`There is no topic "${topic_name}" in this channel.`);
      }
      return { conversation_id: conversation.id };
    });
  },
});

/** Whether the topic has a message that the caller may read. */
async function hasMessages({ tx, actor }: AccountContext, channel: Channel, conversationId: number): Promise<boolean> {
  if (hasSharedHistory(channel)) return (await tx.conversations.bounds(conversationId)) !== undefined;
  const received = { viewer: actor.id, conversations: [conversationId], receivedOnlyIn: [channel.id] };
  return (await tx.messages.fetchIds(received, Number.MAX_SAFE_INTEGER, 'before', 1)).length > 0;
}

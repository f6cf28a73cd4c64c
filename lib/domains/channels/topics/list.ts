import * as v from 'valibot';
import { describe, flag, forPrograms, id, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { seesWholeHistory } from '../../../rules/channels.ts';
import { shownTopic } from '../../../rules/topics.ts';

const MAX_TOPICS = 50_000;

export const listTopics = defineOperation({
  name: 'topics.list',
  http: 'GET /users/me/{stream_id}/topics',
  summary: 'List the topics of a channel, newest first',
  description: 'Lists only topics with messages that you can read.',
  example: { stream_id: 3 },
  access: 'user',
  forRooms: true,
  params: {
    stream_id: id,
    allow_empty_topic_name: optional(
      forPrograms(flag),
      'Return the empty topic as "" instead of its display name.',
      false,
    ),
  },
  result: v.object({
    topics: v.array(v.object({ name: v.string(), max_id: describe(v.number(), 'ID of the newest message.') })),
  }),
  extent: () => 'large',
  async run(context, { stream_id, allow_empty_topic_name }) {
    const { tx, actor, organization } = context;
    const { channel } = await context.viewer.channel(stream_id, { archived: true, readable: true });
    const topics = await tx.conversations.topicsOf(channel.id, {
      limit: MAX_TOPICS,
      ...(seesWholeHistory(actor, channel) ? {} : { receivedBy: actor.id }),
    });
    return {
      topics: topics.map(({ name, max_id }) => ({
        name: allow_empty_topic_name ? name : shownTopic(name, organization),
        max_id,
      })),
    };
  },
});

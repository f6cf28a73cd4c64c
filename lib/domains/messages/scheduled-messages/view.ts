import * as v from 'valibot';
import { describe } from '../../../kernel/schemas.ts';
import type { ScheduledMessage } from '../../../storage/interface/scheduled-messages.ts';

export const scheduledMessageObject = v.object({
  scheduled_message_id: describe(v.number(), 'Another than the message has once it is sent.'),
  type: describe(v.picklist(['stream', 'private']), 'To a channel, or to people.'),
  to: describe(
    v.union([v.number(), v.array(v.number())]),
    'ID of the channel, or of the people but the sender, who stands alone in a message to oneself.',
  ),
  topic: v.optional(describe(v.string(), 'Of a channel message.')),
  content: describe(v.string(), 'Markdown.'),
  rendered_content: describe(v.string(), 'HTML; made anew when it is sent.'),
  scheduled_delivery_timestamp: describe(v.number(), 'UNIX time, seconds.'),
  failed: describe(v.boolean(), 'It could not be sent, and needs another time.'),
});

/** As clients see it; the reason for a failure is told by the notification bot. */
export function scheduledMessageView(message: ScheduledMessage): v.InferOutput<typeof scheduledMessageObject> {
  const { id, channel_id, recipient_ids, topic, content, rendered_content, scheduled_delivery_timestamp } = message;
  return {
    scheduled_message_id: id,
    ...(channel_id === null
      ? { type: 'private' as const, to: recipient_ids }
      : { type: 'stream' as const, to: channel_id, topic }),
    content,
    rendered_content,
    scheduled_delivery_timestamp,
    failed: message.failure !== null,
  };
}

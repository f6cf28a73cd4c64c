import * as v from 'valibot';
import { describe } from '../../../kernel/schemas.ts';
import type { ScheduledMessage } from '../../../storage/interface/scheduled-messages.ts';

export const scheduledMessageObject = v.object({
  scheduled_message_id: describe(v.number(), 'Not the ID that the message gets when it is sent.'),
  type: describe(v.picklist(['stream', 'private']), '`stream` for a channel message, `private` for a direct message.'),
  to: describe(
    v.union([v.number(), v.array(v.number())]),
    'Channel ID, or the user IDs of all recipients except you. Your own ID if you are the only recipient.',
  ),
  topic: v.optional(describe(v.string(), 'Only for channel messages.')),
  content: describe(v.string(), 'Markdown.'),
  rendered_content: describe(v.string(), 'HTML. Rendered again when the message is sent.'),
  scheduled_delivery_timestamp: describe(v.number(), 'UNIX time in seconds.'),
  failed: describe(v.boolean(), 'True if the message could not be sent. Set a new time to send it.'),
});

/** The API view. It does not contain the reason of a failure, which the notification bot sends. */
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

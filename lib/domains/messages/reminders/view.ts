import * as v from 'valibot';
import { describe } from '../../../kernel/schemas.ts';
import type { Reminder } from '../../../storage/interface/reminders.ts';

export const reminderObject = v.object({
  reminder_id: v.number(),
  type: v.literal('private'),
  to: describe(v.array(v.number()), 'Your user ID.'),
  content: describe(v.string(), 'Markdown with a link to the message and your note.'),
  rendered_content: describe(v.string(), 'The same as HTML.'),
  scheduled_delivery_timestamp: describe(v.number(), 'UNIX time in seconds.'),
  failed: describe(v.boolean(), 'True if the reminder could not be sent.'),
  reminder_target_message_id: describe(v.number(), 'Message of the reminder.'),
});

export function reminderView(reminder: Reminder): v.InferOutput<typeof reminderObject> {
  const { id, user_id, content, rendered_content, scheduled_delivery_timestamp, message_id, failure } = reminder;
  return {
    reminder_id: id,
    type: 'private',
    to: [user_id],
    content,
    rendered_content,
    scheduled_delivery_timestamp,
    failed: failure !== null,
    reminder_target_message_id: message_id,
  };
}

import * as v from 'valibot';
import { describe, id, integer, optional, repeatable, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_REMINDER_NOTE_LENGTH } from '../../../rules/names.ts';
import { checkDeliveryLimit, checkDeliveryTime, MAX_DELIVERIES } from '../deliveries.ts';
import { renderContent } from '../message-content.ts';
import { reminderAdded, reminderContent, reminderView } from './reminder.ts';

export const createReminder = defineOperation({
  name: 'reminders.create',
  http: 'POST /reminders',
  summary: 'Set a reminder for a message',
  description: `The notification bot sends you a message at that time. You can have at most ${MAX_DELIVERIES} reminders.`,
  example: { message_id: 7, scheduled_delivery_timestamp: 4102444800, note: 'Answer this.' },
  access: 'user',
  effect: 'write',
  params: {
    message_id: describe(id, 'Message to be reminded of.'),
    scheduled_delivery_timestamp: describe(integer, 'Time of the reminder: UNIX time in seconds.'),
    note: optional(
      text(MAX_REMINDER_NOTE_LENGTH),
      `Note for yourself, at most ${MAX_REMINDER_NOTE_LENGTH} characters.`,
    ),
    ...repeatable,
  },
  result: v.object({ reminder_id: v.number() }),
  async run(context, { message_id, scheduled_delivery_timestamp, note: given = '' }) {
    const { tx, actor, services } = context;
    checkDeliveryTime(context, scheduled_delivery_timestamp);
    const message = await context.viewer.message(message_id);
    const note = given.trim();
    const content = await reminderContent(context, actor, message, note);
    const { html: rendered_content } = await renderContent(context, actor, content);
    checkDeliveryLimit('reminders', await tx.reminders.size(actor.id), { content, rendered_content });
    const reminder = { user_id: actor.id, message_id, note, content, rendered_content, scheduled_delivery_timestamp };
    const id = await tx.reminders.create(reminder);
    const view = reminderView({ ...reminder, id, failure: null, revision: 0 });
    context.emit({ users: [actor.id] }, reminderAdded({ reminders: [view] }));
    context.afterCommit(() => services.rearm());
    return { reminder_id: id };
  },
});

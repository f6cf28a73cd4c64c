import { defineFeature } from '../../../operation/feature.ts';
import { deliveries } from '../deliveries.ts';
import { notifyUser } from '../notification-bot.ts';
import { createReminder } from './create.ts';
import { deleteReminder } from './delete.ts';
import { listReminders } from './list.ts';
import { reminderAdded, reminderRemoved, reminderView, sentReminder } from './reminder.ts';

const reminderDelivery = deliveries({
  name: 'reminders',
  store: (tx) => tx.reminders,
  send: (services, reminder, take) =>
    services.appendAs({ userId: reminder.user_id, client: 'Internal' }, async (context) => {
      const { actor, tx } = context;
      const message = await tx.messages.byId(reminder.message_id);
      const [readable] = message ? await context.viewer.readableMessages([message]) : [];
      const text = await sentReminder(context, actor, readable, reminder.note);
      await take(tx);
      await notifyUser(context, actor, text);
      context.emit({ users: [actor.id] }, reminderRemoved({ reminder_id: reminder.id }));
    }),
  ownerOf: ({ user_id }) => user_id,
  async notify({ emit }, { id }, reminder, failure) {
    // There is no event for a changed reminder, so remove it and add it again.
    emit({ users: [id] }, reminderRemoved({ reminder_id: reminder.id }));
    emit({ users: [id] }, reminderAdded({ reminders: [reminderView({ ...reminder, failure })] }));
  },
});

/** Reminders for messages. The notification bot sends a direct message at the chosen time. */
export const reminders = defineFeature({
  operations: [createReminder, listReminders, deleteReminder],
  events: [reminderAdded, reminderRemoved],
  initialState: { reminders: ({ context }) => listReminders.run(context, {}) },
  dueWork: [reminderDelivery],
});

import type { Services, Snapshot } from '../../../access/context.ts';
import { readableMessages } from '../../../access/messages.ts';
import { defineFeature } from '../../../operation/feature.ts';
import type { Reminder } from '../../../storage/interface/deliveries.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { deliveries } from '../deliveries.ts';
import { notifyUser } from '../notification-bot.ts';
import { createReminder } from './create.ts';
import { deleteReminder } from './delete.ts';
import { listReminders } from './list.ts';
import { reminderAdded, reminderRemoved, reminderView, sentReminder } from './reminder.ts';

/** Sends reminders at their time, or later if the server was down. */
export const reminderDelivery = deliveries<Reminder>({
  name: 'reminders',
  store: (tx) => tx.reminders,
  send,
  fail,
});

async function send(services: Services, reminder: Reminder, take: (tx: Transaction) => Promise<void>): Promise<void> {
  await services.appendAs({ userId: reminder.user_id, client: 'Internal' }, async (context) => {
    const { actor, tx } = context;
    const message = await tx.messages.byId(reminder.message_id);
    const [readable] = message ? await readableMessages(context, actor, [message]) : [];
    const text = await sentReminder(context, actor, readable, reminder.note);
    await take(tx);
    await notifyUser(context, actor, text);
    context.emit({ users: [actor.id] }, reminderRemoved({ reminder_id: reminder.id }));
  });
}

/** Deactivated users get no event. */
async function fail(services: Services, reminder: Reminder, failure: string): Promise<void> {
  await services.append(async ({ tx, emit }) => {
    if (!(await tx.reminders.fail(reminder, failure))) return;
    const user = await tx.users.byId(reminder.user_id);
    if (!user?.is_active) return;
    // There is no event for a changed reminder, so remove it and add it again.
    emit({ users: [user.id] }, reminderRemoved({ reminder_id: reminder.id }));
    emit({ users: [user.id] }, reminderAdded({ reminders: [reminderView({ ...reminder, failure })] }));
  });
}

/** Reminders for messages. The notification bot sends a direct message at the chosen time. */
export const reminders = defineFeature({
  operations: [createReminder, listReminders, deleteReminder],
  events: [reminderAdded, reminderRemoved],
  initialState: {
    reminders: async ({ context: { tx, actor } }: Snapshot) => ({
      reminders: (await tx.reminders.of(actor.id)).map(reminderView),
    }),
  },
  dueWork: [reminderDelivery],
});

import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { createReminder } from './create.ts';
import { deleteReminder } from './delete.ts';
import { reminderDelivery } from './delivery.ts';
import { listReminders } from './list.ts';
import { reminderAdded, reminderRemoved, reminderView } from './reminder.ts';

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

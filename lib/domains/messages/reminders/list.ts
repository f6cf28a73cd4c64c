import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { reminderObject, reminderView } from './reminder.ts';

export const listReminders = defineOperation({
  name: 'reminders.list',
  http: 'GET /reminders',
  summary: 'List your reminders',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({ reminders: describe(v.array(reminderObject), 'Sorted by time.') }),
  errors: [],
  async run({ tx, actor }) {
    return { reminders: (await tx.reminders.of(actor.id)).map(reminderView) };
  },
});

import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { reminderObject, reminderView } from './reminder.ts';

export const listReminders = defineOperation({
  name: 'reminders.list',
  http: 'GET /reminders',
  summary: 'List your reminders',
  access: 'user',
  params: {},
  result: v.object({ reminders: describe(v.array(reminderObject), 'Sorted by time.') }),
  async run({ tx, actor }) {
    return { reminders: (await tx.reminders.of(actor.id)).map(reminderView) };
  },
});

import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { reminderRemoved } from './reminder.ts';

export const deleteReminder = defineOperation({
  name: 'reminders.delete',
  http: 'DELETE /reminders/{reminder_id}',
  summary: 'Delete a reminder',
  example: { reminder_id: 1 },
  access: 'user',
  effect: 'write',
  errors: [DoesNotExist],
  params: { reminder_id: id },
  async run({ tx, actor, emit }, { reminder_id }) {
    if (!(await tx.reminders.remove(reminder_id, actor.id)))
      throw new DoesNotExist(`You have no reminder with ID ${reminder_id}. It may already be deleted.`);
    emit({ users: [actor.id] }, reminderRemoved({ reminder_id }));
  },
});

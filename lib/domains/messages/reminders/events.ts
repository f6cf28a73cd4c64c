import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { reminderObject } from './view.ts';

export const reminderAdded = defineEvent('reminders/add', {
  summary: 'You set a reminder for a message.',
  fields: { reminders: v.array(reminderObject) },
});

export const reminderRemoved = defineEvent('reminders/remove', {
  summary: 'One of your reminders was sent or deleted.',
  fields: { reminder_id: v.number() },
});

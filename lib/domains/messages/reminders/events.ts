import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { reminderObject } from './view.ts';

export const reminderAdded = defineEvent('reminders/add', {
  summary: 'The reader asked to be reminded of a message.',
  fields: { reminders: v.array(reminderObject) },
});

export const reminderRemoved = defineEvent('reminders/remove', {
  summary: 'A reminder of the reader was sent or deleted.',
  fields: { reminder_id: v.number() },
});

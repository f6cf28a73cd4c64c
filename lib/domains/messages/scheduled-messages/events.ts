import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { scheduledMessageObject } from './view.ts';

export const scheduledMessageAdded = defineEvent('scheduled_messages/add', {
  summary: 'The reader scheduled a message.',
  fields: { scheduled_messages: v.array(scheduledMessageObject) },
});

export const scheduledMessageUpdated = defineEvent('scheduled_messages/update', {
  summary: 'A scheduled message of the reader was edited, or could not be sent.',
  fields: { scheduled_message: scheduledMessageObject },
});

export const scheduledMessageRemoved = defineEvent('scheduled_messages/remove', {
  summary: 'A scheduled message of the reader was sent or deleted.',
  fields: { scheduled_message_id: v.number() },
});

import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { scheduledMessageObject } from './view.ts';

export const scheduledMessageAdded = defineEvent('scheduled_messages/add', {
  summary: 'You scheduled a message.',
  fields: { scheduled_messages: v.array(scheduledMessageObject) },
});

export const scheduledMessageUpdated = defineEvent('scheduled_messages/update', {
  summary: 'One of your scheduled messages was edited, or could not be sent.',
  fields: { scheduled_message: scheduledMessageObject },
});

export const scheduledMessageRemoved = defineEvent('scheduled_messages/remove', {
  summary: 'One of your scheduled messages was sent or deleted.',
  fields: { scheduled_message_id: v.number() },
});

import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { scheduledMessageObject, scheduledMessageView } from './scheduled-message.ts';

export const listScheduledMessages = defineOperation({
  name: 'scheduledMessages.list',
  http: 'GET /scheduled_messages',
  summary: 'List your scheduled messages',
  access: 'user',
  params: {},
  result: v.object({
    scheduled_messages: describe(
      v.array(scheduledMessageObject),
      'Sorted by time. Includes messages that could not be sent, until you edit or delete them.',
    ),
  }),
  async run({ tx, actor }) {
    return { scheduled_messages: (await tx.scheduledMessages.of(actor.id)).map(scheduledMessageView) };
  },
});

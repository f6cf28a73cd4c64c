import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { scheduledMessageObject, scheduledMessageView } from './view.ts';

export const listScheduledMessages = defineOperation({
  name: 'scheduledMessages.list',
  http: 'GET /scheduled_messages',
  summary: 'List the messages you have scheduled',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({
    scheduled_messages: describe(
      v.array(scheduledMessageObject),
      'By time; those that could not be sent are among them until they are changed or deleted.',
    ),
  }),
  errors: [],
  async run({ tx, actor }) {
    return { scheduled_messages: (await tx.scheduledMessages.of(actor.id)).map(scheduledMessageView) };
  },
});

import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessScheduledMessage, scheduledMessageRemoved } from './scheduled-message.ts';

export const deleteScheduledMessage = defineOperation({
  name: 'scheduledMessages.delete',
  http: 'DELETE /scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message without sending it',
  example: { scheduled_message_id: 1 },
  access: 'user',
  effect: 'write',
  params: { scheduled_message_id: id },
  errors: [DoesNotExist],
  async run(context, { scheduled_message_id }) {
    const { id } = await accessScheduledMessage(context, scheduled_message_id);
    await context.tx.scheduledMessages.remove(id);
    context.emit({ users: [context.actor.id] }, scheduledMessageRemoved({ scheduled_message_id: id }));
  },
});

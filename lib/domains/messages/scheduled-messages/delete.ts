import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { scheduledMessageRemoved } from './scheduled-message.ts';

export const deleteScheduledMessage = defineOperation({
  name: 'scheduledMessages.delete',
  http: 'DELETE /scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message without sending it',
  description: 'A sent message stays in its conversation.',
  example: { scheduled_message_id: 1 },
  access: 'user',
  effect: 'write',
  params: { scheduled_message_id: id },
  errors: [DoesNotExist],
  async run({ tx, actor, emit }, { scheduled_message_id }) {
    if (!(await tx.scheduledMessages.remove(scheduled_message_id, actor.id)))
      throw new DoesNotExist(
        `You have no scheduled message with ID ${scheduled_message_id}. It may already be deleted.`,
      );
    emit({ users: [actor.id] }, scheduledMessageRemoved({ scheduled_message_id }));
  },
});

import type { AccountContext } from '../../../kernel/context.ts';
import { DoesNotExist } from '../../../kernel/errors.ts';
import type { ScheduledMessage } from '../../../storage/interface/scheduled-messages.ts';

/** @throws DoesNotExist, with the same text if the message was sent, never existed, or belongs to another user */
export async function accessScheduledMessage({ tx, actor }: AccountContext, id: number): Promise<ScheduledMessage> {
  const message = await tx.scheduledMessages.byId(id);
  if (message?.sender_id === actor.id) return message;
  throw new DoesNotExist(`You have no scheduled message with ID ${id}. It may already have been sent.`);
}

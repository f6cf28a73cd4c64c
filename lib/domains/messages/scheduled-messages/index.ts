import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { createScheduledMessage } from './create.ts';
import { deleteScheduledMessage } from './delete.ts';
import { scheduledDelivery } from './delivery.ts';
import { editScheduledMessage } from './edit.ts';
import { listScheduledMessages } from './list.ts';
import {
  scheduledMessageAdded,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
  scheduledMessageView,
} from './scheduled-message.ts';

/**
 * Messages to send later. They are checked when they are created, and again when they are sent. A message that cannot
 * be sent stays in the list as failed, until its sender sets a new time.
 */
export const scheduledMessages = defineFeature({
  operations: [createScheduledMessage, editScheduledMessage, listScheduledMessages, deleteScheduledMessage],
  events: [scheduledMessageAdded, scheduledMessageUpdated, scheduledMessageRemoved],
  initialState: {
    scheduled_messages: async ({ context: { tx, actor } }: Snapshot) => ({
      scheduled_messages: (await tx.scheduledMessages.of(actor.id)).map(scheduledMessageView),
    }),
  },
  dueWork: [scheduledDelivery],
});

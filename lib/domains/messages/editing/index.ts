import { defineFeature } from '../../../operation/feature.ts';
import { deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import { erasedTexts, eraseLater } from './erasure.ts';
import { messagesDeleted, messageUpdated } from './events.ts';

/**
 * Editing, moving and deleting messages. A move is planned, then its audience is read, then it is applied. If the new
 * topic has no messages, a whole topic moves by changing one row.
 */
export const editing = defineFeature({
  operations: [editMessage, deleteMessage],
  events: [messageUpdated, messagesDeleted],
  outbox: [erasedTexts],
  consequences: { deleting: eraseLater },
});

import { defineFeature } from '../../../kernel/feature.ts';
import { deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import { messagesDeleted, messageUpdated } from './events.ts';

/**
 * Editing what a message says, moving messages to another topic or channel, deleting them. A move is
 * planned, then its audience is asked for, then it is carried out; a whole topic whose new name is free
 * moves at the cost of one row.
 */
export const editing = defineFeature({
  operations: [editMessage, deleteMessage],
  events: [messageUpdated, messagesDeleted],
});

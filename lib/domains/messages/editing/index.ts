import { defineFeature } from '../../../kernel/feature.ts';
import { deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import { messagesDeleted, messageUpdated } from './events.ts';

/** Editing what a message says, moving messages to another topic or channel, deleting them. */
export const editing = defineFeature({
  operations: [editMessage, deleteMessage],
  events: [messageUpdated, messagesDeleted],
});

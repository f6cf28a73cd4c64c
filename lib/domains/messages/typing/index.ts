import { defineFeature } from '../../../kernel/feature.ts';
import { typingEditStarted, typingEditStopped, typingStarted, typingStopped } from './events.ts';
import { sendTyping } from './send.ts';
import { sendTypingEdit } from './send-edit.ts';

/**
 * Typing notifications are normal events: they share transactions with other requests, and every process delivers them.
 * Nothing else is stored.
 */
export const typing = defineFeature({
  operations: [sendTyping, sendTypingEdit],
  events: [typingStarted, typingStopped, typingEditStarted, typingEditStopped],
});

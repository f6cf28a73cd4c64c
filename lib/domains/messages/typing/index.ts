import { defineFeature } from '../../../kernel/feature.ts';
import { typingEditStarted, typingEditStopped, typingStarted, typingStopped } from './events.ts';
import { sendTyping } from './send.ts';
import { sendTypingEdit } from './send-edit.ts';

/**
 * That somebody types is an event like any other: it commits together with what is sent at the time, and every
 * process delivers it. Nothing else of it is stored.
 */
export const typing = defineFeature({
  operations: [sendTyping, sendTypingEdit],
  events: [typingStarted, typingStopped, typingEditStarted, typingEditStopped],
});

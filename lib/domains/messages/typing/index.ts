import { defineFeature } from '../../../operation/feature.ts';
import { sendTyping } from './send.ts';
import { sendTypingEdit } from './send-edit.ts';
import { typingEditStarted, typingEditStopped, typingStarted, typingStopped } from './typing.ts';

/** Typing notifications are normal events: every process delivers them. Nothing else is stored. */
export const typing = defineFeature({
  operations: [sendTyping, sendTypingEdit],
  events: [typingStarted, typingStopped, typingEditStarted, typingEditStopped],
});

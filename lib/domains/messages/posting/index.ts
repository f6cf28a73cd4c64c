import { defineFeature } from '../../../operation/feature.ts';
import { messageSent } from './post-message.ts';
import { sendMessage } from './send.ts';

/**
 * Sending messages to channels and users. A message is stored once, independent of the number of receivers. Messages of
 * the software itself are sent by the notification bot in the same way.
 */
export const posting = defineFeature({ operations: [sendMessage], events: [messageSent] });

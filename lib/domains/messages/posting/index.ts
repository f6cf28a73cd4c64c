import { defineFeature } from '../../../kernel/feature.ts';
import { messageSent } from './events.ts';
import { sendMessage } from './send.ts';

/**
 * Sending messages, to channels and to people. A message is stored once, however many receive it.
 * What the software itself writes goes the same way, through the notification bot.
 */
export const posting = defineFeature({ operations: [sendMessage], events: [messageSent] });

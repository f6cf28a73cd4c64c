import { defineFeature } from '../../../operation/feature.ts';
import { messageSent } from './post-message.ts';
import { sendMessage } from './send.ts';

/** A message is stored once, independent of the number of receivers. */
export const posting = defineFeature({ operations: [sendMessage], events: [messageSent] });

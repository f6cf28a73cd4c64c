import { defineFeature } from '../../../operation/feature.ts';
import { messageSent } from './post-message.ts';
import { renderMessage } from './render.ts';
import { sendMessage } from './send.ts';

/** A message is stored once, independent of the number of receivers. */
export const posting = defineFeature({ operations: [sendMessage, renderMessage], events: [messageSent] });

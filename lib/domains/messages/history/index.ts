import { defineFeature } from '../../../operation/feature.ts';
import { getMessageHistory } from './history.ts';

/** Edit history of messages, as far as the organization shows it. */
export const history = defineFeature({ operations: [getMessageHistory] });

import { defineFeature } from '../../../kernel/feature.ts';
import { getMessageHistory } from './history.ts';

/** What messages said before they were edited, and what changed each time, as far as the organization shows it. */
export const history = defineFeature({ operations: [getMessageHistory] });

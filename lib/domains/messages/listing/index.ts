import { defineFeature } from '../../../operation/feature.ts';
import { getMessage } from './get.ts';
import { listMessages } from './list.ts';
import { matchesNarrow } from './matches-narrow.ts';

/**
 * Fetching a message, or a page of a narrow around an anchor. The response highlights search matches and includes the
 * edit history of each message.
 */
export const listing = defineFeature({ operations: [listMessages, matchesNarrow, getMessage] });

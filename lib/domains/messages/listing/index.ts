import { defineFeature } from '../../../kernel/feature.ts';
import { getMessage } from './get.ts';
import { listMessages } from './list.ts';
import { matchesNarrow } from './matches-narrow.ts';

/**
 * Fetching messages: one, or a page of a narrow around an anchor. What was searched for is marked in
 * the answer; what each message was before is listed with it.
 */
export const listing = defineFeature({ operations: [listMessages, matchesNarrow, getMessage] });

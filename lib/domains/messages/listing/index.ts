import { defineFeature } from '../../../operation/feature.ts';
import { STOP_WORDS } from '../../../rules/search.ts';
import { getMessage } from './get.ts';
import { listMessages } from './list.ts';
import { matchesNarrow } from './matches-narrow.ts';

/** A page of a narrow around an anchor, with highlighted search matches and the edit history of each message. */
export const listing = defineFeature({
  operations: [listMessages, matchesNarrow, getMessage],
  initialState: { stop_words: async () => ({ stop_words: [...STOP_WORDS] }) },
});

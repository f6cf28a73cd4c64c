import { defineFeature } from '../../../operation/feature.ts';
import { createSavedSnippet } from './create.ts';
import { editSavedSnippet } from './edit.ts';
import { listSavedSnippets } from './list.ts';
import { removeSavedSnippet } from './remove.ts';
import { savedSnippetAdded, savedSnippetRemoved, savedSnippetUpdated } from './snippet.ts';

/** Text snippets that a user saves to reuse them in messages. */
export const savedSnippets = defineFeature({
  operations: [listSavedSnippets, createSavedSnippet, editSavedSnippet, removeSavedSnippet],
  events: [savedSnippetAdded, savedSnippetUpdated, savedSnippetRemoved],
  initialState: { saved_snippets: ({ context }) => listSavedSnippets.run(context, {}) },
});

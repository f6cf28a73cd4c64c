import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { snippetObject } from './snippet.ts';

export const savedSnippetAdded = defineEvent('saved_snippets/add', {
  summary: 'The reader saved a snippet.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetUpdated = defineEvent('saved_snippets/update', {
  summary: 'The reader changed a saved snippet: all of it.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetRemoved = defineEvent('saved_snippets/remove', {
  summary: 'The reader removed a saved snippet.',
  fields: { saved_snippet_id: v.number() },
});

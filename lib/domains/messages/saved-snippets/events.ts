import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { snippetObject } from './snippet.ts';

export const savedSnippetAdded = defineEvent('saved_snippets/add', {
  summary: 'You saved a snippet.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetUpdated = defineEvent('saved_snippets/update', {
  summary: 'You changed a saved snippet. Contains the complete snippet.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetRemoved = defineEvent('saved_snippets/remove', {
  summary: 'You removed a saved snippet.',
  fields: { saved_snippet_id: v.number() },
});

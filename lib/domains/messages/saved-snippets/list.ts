import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { snippetObject } from './snippet.ts';

export const listSavedSnippets = defineOperation({
  name: 'savedSnippets.list',
  http: 'GET /saved_snippets',
  summary: 'List your saved snippets',
  access: 'user',
  params: {},
  result: v.object({ saved_snippets: describe(v.array(snippetObject), 'Oldest first.') }),
  async run({ tx, actor }) {
    return { saved_snippets: await tx.savedSnippets.of(actor.id) };
  },
});

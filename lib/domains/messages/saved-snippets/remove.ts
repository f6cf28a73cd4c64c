import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { noSnippet, savedSnippetRemoved } from './snippet.ts';

export const removeSavedSnippet = defineOperation({
  name: 'savedSnippets.remove',
  http: 'DELETE /saved_snippets/{saved_snippet_id}',
  summary: 'Remove a saved snippet',
  example: { saved_snippet_id: 2 },
  access: 'user',
  effect: 'mark',
  params: { saved_snippet_id: id },
  errors: [DoesNotExist],
  async run({ tx, actor, emit }, { saved_snippet_id }) {
    if (!(await tx.savedSnippets.remove(actor.id, saved_snippet_id))) throw noSnippet(saved_snippet_id);
    emit({ users: [actor.id] }, savedSnippetRemoved({ saved_snippet_id }));
  },
});

import * as v from 'valibot';
import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import {
  checkSnippetLimit,
  noSnippet,
  savedSnippetUpdated,
  snippetContent,
  snippetParams,
  snippetTitle,
} from './snippet.ts';

export const editSavedSnippet = defineOperation({
  name: 'savedSnippets.edit',
  http: 'PATCH /saved_snippets/{saved_snippet_id}',
  summary: 'Change the title or content of a saved snippet',
  example: { saved_snippet_id: 2, title: 'Welcome' },
  access: 'user',
  effect: 'mark',
  params: {
    saved_snippet_id: id,
    title: v.optional(snippetParams.title),
    content: v.optional(snippetParams.content),
  },
  errors: [DoesNotExist],
  async run(context, { saved_snippet_id, title, content }) {
    const { tx, actor, emit } = context;
    const present = await tx.savedSnippets.get(actor.id, saved_snippet_id);
    if (!present) throw noSnippet(saved_snippet_id);
    const patch = {
      ...(title === undefined ? {} : { title: snippetTitle(title) }),
      ...(content === undefined ? {} : { content: snippetContent(content) }),
    };
    if (title === undefined && content === undefined) return;
    if (patch.content !== undefined) await checkSnippetLimit(context, patch.content, present);
    const saved_snippet = await tx.savedSnippets.update(actor.id, saved_snippet_id, patch);
    // Another client may have removed the snippet since it was read.
    if (!saved_snippet) throw noSnippet(saved_snippet_id);
    emit({ users: [actor.id] }, savedSnippetUpdated({ saved_snippet }));
  },
});

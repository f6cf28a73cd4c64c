import * as v from 'valibot';
import { repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkSnippetLimit, savedSnippetAdded, snippetContent, snippetParams, snippetTitle } from './snippet.ts';

export const createSavedSnippet = defineOperation({
  name: 'savedSnippets.create',
  http: 'POST /saved_snippets',
  summary: 'Save a text snippet for later messages',
  description: 'Clients offer your snippets when you write a message. Other users cannot see them.',
  example: { title: 'Greeting', content: 'Welcome to **our chat**!' },
  access: 'user',
  effect: 'mark',
  params: { ...snippetParams, ...repeatable },
  result: v.object({ saved_snippet_id: v.number() }),
  async run(context, given) {
    const { tx, actor, now, emit } = context;
    const title = snippetTitle(given.title);
    const content = snippetContent(given.content);
    await checkSnippetLimit(context, content);
    const snippet = { title, content, date_created: Math.floor(now / 1000) };
    const id = await tx.savedSnippets.add(actor.id, snippet);
    emit({ users: [actor.id] }, savedSnippetAdded({ saved_snippet: { id, ...snippet } }));
    return { saved_snippet_id: id };
  },
});

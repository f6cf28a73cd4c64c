import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const save = async ({ as }: World, title: string, user: UserName = 'hamlet') =>
  (await as(user).savedSnippets.create({ title, content: 'x' })).saved_snippet_id;

export const matrix: PlainCalls = {
  'savedSnippets.create': () => ({ title: 'Greeting', content: 'Hello' }),
  'savedSnippets.edit': async (world) => ({ saved_snippet_id: await save(world, 'a'), title: 'b' }),
  'savedSnippets.remove': async (world) => ({ saved_snippet_id: await save(world, 'a') }),
};

export const changes: Changes = {
  'savedSnippets.create': {
    'two snippets, and one of another user': async (world) => {
      await save(world, 'a');
      await save(world, 'b', 'cordelia');
      await save(world, 'a');
    },
  },
  'savedSnippets.edit': {
    'the title, then the content': async (world) => {
      const saved_snippet_id = await save(world, 'a');
      await world.as('hamlet').savedSnippets.edit({ saved_snippet_id, title: 'b' });
      await world.as('hamlet').savedSnippets.edit({ saved_snippet_id, content: 'y' });
    },
  },
  'savedSnippets.remove': {
    'one of two snippets': async (world) => {
      const saved_snippet_id = await save(world, 'a');
      await save(world, 'b');
      await world.as('hamlet').savedSnippets.remove({ saved_snippet_id });
    },
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.savedSnippets.of(id)));
};

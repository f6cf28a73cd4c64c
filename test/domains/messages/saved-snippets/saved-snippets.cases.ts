import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const GREETING = { title: 'Greeting', content: 'Welcome to **our chat**!' };
/** A snippet of Hamlet. Its ID is `kept.greeting`. */
const saved = async ({ as, kept }: World) => {
  kept.greeting = (await as('hamlet').savedSnippets.create(GREETING)).saved_snippet_id;
};
const snippetsOf = async ({ as }: World) => (await as('hamlet').savedSnippets.list()).saved_snippets;
const present = ({ clock }: World) => Math.floor(clock.now() / 1000);
const fill = async ({ as }: World, count: number, content: string) => {
  for (let at = 0; at < count; at++) await as('hamlet').savedSnippets.create({ title: 'x', content });
};

export const listSavedSnippetsCases = cases('savedSnippets.list', [
  {
    name: 'a new user has an empty list of snippets',
    as: 'hamlet',
    call: ['savedSnippets.list'],
    returns: { saved_snippets: [] },
  },
  {
    name: 'the list has the oldest snippet first, even with equal titles',
    as: 'hamlet',
    given: async (world) => {
      await saved(world);
      await world.as('hamlet').savedSnippets.create({ ...GREETING, content: 'Hello' });
    },
    call: ['savedSnippets.list'],
    returns: (world) => ({
      saved_snippets: [
        { id: world.kept.greeting, ...GREETING, date_created: present(world) },
        { ...GREETING, content: 'Hello' },
      ],
    }),
  },
  {
    name: 'snippets of other users are not listed',
    as: 'owner',
    given: saved,
    call: ['savedSnippets.list'],
    returns: { saved_snippets: [] },
  },
]);

const refused = (name: string, given: object, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: ['savedSnippets.create', { ...GREETING, ...given }],
  refuses: { code: 'BAD_REQUEST', says },
});

export const createSavedSnippetCases = cases('savedSnippets.create', [
  {
    name: 'a snippet is saved trimmed, and only its owner gets the event',
    as: 'hamlet',
    call: ['savedSnippets.create', { title: '  Greeting ', content: '\n Hello\nthere \n' }],
    returns: { saved_snippet_id: (id: unknown) => Number.isSafeInteger(id) },
    events: (world) => {
      const saved_snippet = { title: 'Greeting', content: 'Hello\nthere', date_created: isSince(world.clock) };
      return { hamlet: [{ type: 'saved_snippets', op: 'add', saved_snippet }], owner: [], cordelia: [] };
    },
    state: async (world, { saved_snippet_id: id }) =>
      assertMatches(await snippetsOf(world), [
        { id, title: 'Greeting', content: 'Hello\nthere', date_created: Number.isInteger },
      ]),
  },
  {
    name: 'bots and guests save snippets too',
    as: 'bot',
    given: ({ as }) => as('guest').savedSnippets.create(GREETING),
    call: ['savedSnippets.create', GREETING],
  },
  {
    name: 'a title of 60 characters and a text of 10,000 are accepted, in any script and without surrounding space',
    as: 'hamlet',
    call: ['savedSnippets.create', { title: ` ${'🎉'.repeat(60)} `, content: ` ${'🎉'.repeat(10_000)} ` }],
  },
  refused('a title of more than 60 characters is refused', { title: 'x'.repeat(61) }, /title is too long \(limit: 60/),
  refused(
    'a text of more than 10000 characters is refused',
    { content: 'x'.repeat(10_001) },
    /content is too long \(limit: 10000/,
  ),
  refused('a title of white space is refused', { title: ' \t ' }, /title cannot be empty/),
  refused('a text of white space is refused', { content: ' \n ' }, /content cannot be empty/),
  refused('a title with a NUL character is refused', { title: 'a\0b' }, /title must not contain NUL/),
  {
    name: 'a snippet without a text is refused',
    as: 'hamlet',
    call: ['savedSnippets.create', { title: 'x' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'content' } },
  },
  {
    name: 'more than 500 snippets of one user are refused',
    as: 'hamlet',
    given: (world) => fill(world, 500, 'x'),
    call: ['savedSnippets.create', GREETING],
    refuses: { code: 'BAD_REQUEST', says: /at most 500/ },
  },
  {
    name: 'snippets of one user beyond a million characters are refused',
    as: 'hamlet',
    given: (world) => fill(world, 100, '🎉'.repeat(10_000)),
    call: ['savedSnippets.create', { title: 'x', content: 'y' }],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
]);

export const editSavedSnippetCases = cases('savedSnippets.edit', [
  {
    name: 'the title alone changes, and only the owner gets the whole snippet in the event',
    as: 'hamlet',
    given: saved,
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting, title: ' Welcome ' })],
    returns: {},
    events: (world) => ({
      hamlet: [
        {
          type: 'saved_snippets',
          op: 'update',
          saved_snippet: { id: world.kept.greeting, ...GREETING, title: 'Welcome', date_created: present(world) },
        },
      ],
      owner: [],
    }),
  },
  {
    name: 'the text alone changes, even near the limit of all snippets together',
    as: 'hamlet',
    given: async (world) => {
      await fill(world, 99, 'x'.repeat(10_000));
      await saved(world);
    },
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting, content: 'y'.repeat(10_000) })],
    state: async (world) => assert.equal((await snippetsOf(world))[99]?.title, 'Greeting'),
  },
  {
    name: 'an empty edit changes nothing and sends no event',
    as: 'hamlet',
    given: saved,
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting })],
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'an empty title is refused, and the text does not change',
    as: 'hamlet',
    given: saved,
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting, title: ' ', content: 'y' })],
    refuses: { code: 'BAD_REQUEST', says: /title cannot be empty/ },
  },
  {
    name: 'an unknown snippet ID is refused with status 404',
    as: 'hamlet',
    call: ['savedSnippets.edit', { saved_snippet_id: 99, title: 'x' }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no saved snippet with ID 99/ },
  },
  {
    name: 'a snippet of another user is refused as missing',
    as: 'owner',
    given: saved,
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting, title: 'x' })],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no saved snippet with ID/ },
  },
  {
    name: 'an edit beyond the limit of all snippets together is refused',
    as: 'hamlet',
    given: async (world) => {
      await saved(world);
      await fill(world, 99, 'x'.repeat(10_000));
      await world.as('hamlet').savedSnippets.create({ title: 'x', content: 'x'.repeat(9_000) });
    },
    call: ['savedSnippets.edit', ({ kept }) => ({ saved_snippet_id: kept.greeting, content: 'x'.repeat(1_001) })],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
]);

export const removeSavedSnippetCases = cases('savedSnippets.remove', [
  {
    name: 'a snippet is removed, and only its owner gets the event',
    as: 'hamlet',
    given: saved,
    call: ['savedSnippets.remove', ({ kept }) => ({ saved_snippet_id: kept.greeting })],
    returns: {},
    events: ({ kept }) => ({
      hamlet: [{ type: 'saved_snippets', op: 'remove', saved_snippet_id: kept.greeting }],
      owner: [],
    }),
    state: async (world) => assert.deepEqual(await snippetsOf(world), []),
  },
  {
    name: 'an unknown snippet ID is refused with status 404',
    as: 'hamlet',
    call: ['savedSnippets.remove', { saved_snippet_id: 99 }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no saved snippet with ID 99/ },
  },
  {
    name: 'a snippet of another user is refused as missing',
    as: 'owner',
    given: saved,
    call: ['savedSnippets.remove', ({ kept }) => ({ saved_snippet_id: kept.greeting })],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no saved snippet with ID/ },
  },
]);

import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

type Fields = Record<string, unknown>;

const SOUP = { type: '' as const, to: [] as number[], topic: '', content: 'Soup' };
/** A draft that Hamlet has begun, as he keeps it; its ID is `kept.soup`. */
const KEPT = { ...SOUP, timestamp: 1_700_000_000 };
const begun = async ({ as, kept }: World) => {
  const { ids } = await as('hamlet').drafts.create({ drafts: [KEPT] });
  kept.soup = ids[0] as number;
};
const draftsOf = async ({ as }: World, user: 'hamlet' | 'cordelia' = 'hamlet') => (await as(user).drafts.list()).drafts;
const withoutSync = ({ as }: World) => as('hamlet').settings.edit({ enable_drafts_synchronization: false });
const many = (count: number, content: string) => Array.from({ length: count }, () => ({ ...SOUP, content }));
const fill = async ({ as }: World, calls: number, content: string) => {
  for (let at = 0; at < calls; at++) await as('hamlet').drafts.create({ drafts: many(100, content) });
};

/** What becomes of one draft: told to its owner's clients alone, and listed. */
const kept = (name: string, draft: (world: World) => Fields, expected: (world: World) => Fields): Case => ({
  name,
  as: 'hamlet',
  call: ['drafts.create', (world) => ({ drafts: [draft(world)] })],
  events: (world) => ({
    hamlet: [{ type: 'drafts', op: 'add', drafts: [{ timestamp: isSince(world.clock), ...expected(world) }] }],
    owner: [],
    cordelia: [],
  }),
  state: async (world, { ids }) =>
    assertMatches(await draftsOf(world), [{ id: ids[0], timestamp: Number.isInteger, ...expected(world) }]),
});
const refused = (name: string, draft: (world: World) => unknown, says: RegExp, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  call: ['drafts.create', (world) => ({ drafts: [SOUP, draft(world)] })],
  refuses: { code: 'BAD_REQUEST', says },
  ...more,
});
const inChannel = (stream_id: number, topic = 'lunch') => ({ ...SOUP, type: 'stream', to: [stream_id], topic });

export const listDraftsCases = cases('drafts.list', [
  { name: 'there are none at first', as: 'hamlet', call: ['drafts.list'], returns: { count: 0, drafts: [] } },
  {
    name: 'the draft edited last comes first, and of two the one added last',
    as: 'hamlet',
    given: ({ as }) =>
      as('hamlet').drafts.create({
        drafts: [
          { ...SOUP, content: 'a', timestamp: 5 },
          { ...SOUP, content: 'b', timestamp: 9 },
          { ...SOUP, content: 'c', timestamp: 5 },
        ],
      }),
    call: ['drafts.list'],
    returns: { count: 3, drafts: [{ content: 'b' }, { content: 'c' }, { content: 'a' }] },
  },
  {
    name: "another's drafts are not listed, nor are an owner's or a bot's owner's",
    as: 'owner',
    given: begun,
    call: ['drafts.list'],
    returns: { count: 0, drafts: [] },
  },
  {
    name: 'bots have drafts too',
    as: 'bot',
    given: ({ as }) => as('bot').drafts.create({ drafts: [SOUP] }),
    call: ['drafts.list'],
    returns: { count: 1 },
  },
  {
    name: 'refused to whoever does not keep drafts on the server',
    as: 'hamlet',
    given: withoutSync,
    call: ['drafts.list'],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

export const createDraftsCases = cases('drafts.create', [
  kept(
    'keeps a draft for a channel, with its topic as it would be stored',
    ({ channels }) => ({ ...inChannel(channels.public, '  lunch '), content: 'Soup or \n\n' }),
    ({ channels }) => ({ type: 'stream', to: [channels.public], topic: 'lunch', content: 'Soup or' }),
  ),
  kept(
    'the newer names of types are understood, and the older ones are shown',
    ({ channels }) => ({ ...inChannel(channels.public), type: 'channel' }),
    ({ channels }) => inChannel(channels.public),
  ),
  kept(
    'keeps a draft for people: each once, in order, without their writer and without a topic',
    ({ users }) => ({
      ...SOUP,
      type: 'direct',
      to: [users.owner, users.hamlet, users.cordelia, users.owner],
      topic: 'x',
    }),
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.owner, users.cordelia].sort((a, b) => a - b) }),
  ),
  kept(
    'keeps a draft to oneself',
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.hamlet] }),
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.hamlet] }),
  ),
  kept(
    'a draft for people that names none is not addressed yet',
    () => ({ ...SOUP, type: 'private', topic: 'x' }),
    () => SOUP,
  ),
  kept(
    'to and topic of a draft that is not addressed yet are left alone',
    () => ({ ...SOUP, to: [99], topic: 'x' }),
    () => SOUP,
  ),
  kept(
    'keeps the time that the client gives, also one to come',
    () => ({ ...SOUP, timestamp: 32_503_680_000 }),
    () => ({ ...SOUP, timestamp: 32_503_680_000 }),
  ),
  kept(
    'a time of null is the present',
    () => ({ ...SOUP, timestamp: null }),
    () => SOUP,
  ),
  kept(
    'cuts a text and a topic that are too long, as sending does',
    ({ channels }) => ({ ...inChannel(channels.public, 't'.repeat(61)), content: 'x'.repeat(10_001) }),
    ({ channels }) => ({
      ...inChannel(channels.public, `${'t'.repeat(57)}...`),
      content: `${'x'.repeat(10_000 - 20)}\n[message truncated]`,
    }),
  ),
  kept(
    'the empty topic has no name',
    ({ channels }) => inChannel(channels.public, '(no topic)'),
    ({ channels }) => inChannel(channels.public, ''),
  ),
  kept(
    'keeps a draft for a public channel one is not in, and for somebody deactivated',
    ({ channels }) => inChannel(channels.quiet),
    ({ channels }) => inChannel(channels.quiet),
  ),
  {
    name: 'keeps several at once and answers with their IDs in order, which one event tells of',
    as: 'hamlet',
    call: ['drafts.create', ({ users }) => ({ drafts: [SOUP, { ...SOUP, type: 'private', to: [users.deactivated] }] })],
    returns: { ids: (ids: unknown) => Array.isArray(ids) && ids.length === 2 && ids[0] < ids[1] },
    events: ({ users }) => ({
      hamlet: [{ type: 'drafts', op: 'add', drafts: [{ type: '' }, { type: 'private', to: [users.deactivated] }] }],
    }),
    state: async (world, { ids }) =>
      assert.deepEqual(
        (await draftsOf(world)).map(({ id }) => id),
        [...ids].reverse(),
      ),
  },
  {
    name: 'of no drafts nobody is told',
    as: 'hamlet',
    call: ['drafts.create', { drafts: [] }],
    returns: { ids: [] },
    events: () => ({ hamlet: [] }),
  },
  refused('an empty text is no draft, and then none of them is kept', () => ({ ...SOUP, content: ' \n ' }), /empty/),
  refused('a text with a NUL character is no draft', () => ({ ...SOUP, content: 'a\0b' }), /NUL/),
  refused(
    'a topic with a character that cannot be shown is refused',
    ({ channels }) => inChannel(channels.public, 'a\u0007b'),
    /Character 2/,
  ),
  refused(
    'a draft for a channel needs one',
    ({ channels }) => ({ ...inChannel(channels.public), to: [] }),
    /exactly one/,
  ),
  refused(
    'a draft for a channel names no two',
    ({ channels }) => ({ ...inChannel(channels.public), to: [channels.public, channels.quiet] }),
    /exactly one/,
  ),
  refused('a channel that is not there', () => inChannel(99), /channel with ID 99 that you can access/),
  refused(
    'a private channel of others is a channel that is not there',
    ({ channels }) => inChannel(channels.protected),
    /channel with ID [0-9]+ that you can access/,
  ),
  refused(
    'an archived channel is not there',
    ({ channels }) => inChannel(channels.archived),
    /channel with ID [0-9]+ that you can access/,
  ),
  refused(
    'a channel that one may know of and not read is refused',
    ({ channels }) => inChannel(channels.shared),
    /that you can access/,
    { as: 'administrator' },
  ),
  refused('somebody who is not there', () => ({ ...SOUP, type: 'private', to: [99] }), /user with ID 99/),
  refused(
    'somebody whom a restricted guest does not see is not there',
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.moderator] }),
    /user with ID [0-9]+/,
    { as: 'guest', given: (world) => world.settings(RESTRICTED) },
  ),
  refused('a time before 1970', () => ({ ...SOUP, timestamp: -1 }), /timestamp.* must not be negative/),
  refused('a time after the year 9999', () => ({ ...SOUP, timestamp: 253_402_300_800 }), /too far in the future/),
  refused('a time that is no integer', () => ({ ...SOUP, timestamp: 1.5 }), /timestamp.* must be an integer/),
  refused('an unknown type', () => ({ ...SOUP, type: 'email' }), /type.* must be one of/),
  refused('a draft without a text', () => ({ type: '', to: [], topic: '' }), /drafts\[1\].* must be an object with/),
  refused('a key that no draft has, as the ID would be', () => ({ ...SOUP, id: 3 }), /must be an object with/),
  refused('what is no object', () => 'Soup', /drafts\[1\] must be an object with/),
  refused(
    'more than a thousand people',
    () => ({ ...SOUP, type: 'private', to: Array.from({ length: 1_001 }, (_, at) => at) }),
    /limit: 1000/,
  ),
  {
    name: 'a list is needed',
    as: 'hamlet',
    call: ['drafts.create', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'drafts' } },
  },
  {
    name: 'a hundred drafts at most at once',
    as: 'hamlet',
    call: ['drafts.create', { drafts: many(101, 'x') }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 100/ },
  },
  {
    name: 'a thousand drafts fit',
    as: 'hamlet',
    given: (world) => fill(world, 9, 'x'),
    call: ['drafts.create', { drafts: many(100, 'x') }],
    returns: { ids: (ids: unknown) => Array.isArray(ids) && ids.length === 100 },
  },
  {
    name: 'there are a thousand drafts at most, those one has included',
    as: 'hamlet',
    given: (world) => fill(world, 10, 'x'),
    call: ['drafts.create', { drafts: [SOUP] }],
    refuses: { code: 'BAD_REQUEST', says: /at most 1000 drafts/ },
  },
  {
    name: 'drafts have a million characters at most together, whatever the script',
    as: 'hamlet',
    given: async (world) => {
      await fill(world, 1, '🎉'.repeat(9_970));
    },
    call: ['drafts.create', { drafts: [{ ...SOUP, content: 'x'.repeat(3_000) }] }],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
  {
    name: 'refused to whoever does not keep drafts on the server',
    as: 'hamlet',
    given: withoutSync,
    call: ['drafts.create', { drafts: [SOUP] }],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

const edited = (draft: (world: World) => unknown) => (world: World) => ({
  draft_id: world.kept.soup,
  draft: draft(world),
});

export const editDraftCases = cases('drafts.edit', [
  {
    name: 'replaces all of a draft; the other clients of its owner alone are told',
    as: 'hamlet',
    given: begun,
    call: ['drafts.edit', edited(({ channels }) => ({ ...inChannel(channels.public), content: 'Salad' }))],
    returns: {},
    events: (world) => {
      const draft = { ...inChannel(world.channels.public), content: 'Salad' };
      const whole = { id: world.kept.soup, ...draft, timestamp: isSince(world.clock) };
      return { hamlet: [{ type: 'drafts', op: 'update', draft: whole }], owner: [], cordelia: [] };
    },
    state: async (world) => {
      const [draft] = await draftsOf(world);
      assert.equal(draft?.content, 'Salad');
      assert.notEqual(draft?.timestamp, KEPT.timestamp);
    },
  },
  {
    name: 'a draft that is edited as it was is told of all the same',
    as: 'hamlet',
    given: begun,
    call: ['drafts.edit', edited(() => KEPT)],
    events: () => ({ hamlet: [{ type: 'drafts', op: 'update', draft: KEPT }] }),
  },
  {
    name: 'there is no draft with the ID: 404',
    as: 'hamlet',
    call: ['drafts.edit', { draft_id: 99, draft: SOUP }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID 99/ },
  },
  {
    name: "another's draft is not there",
    as: 'cordelia',
    given: begun,
    call: ['drafts.edit', edited(() => SOUP)],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID/ },
    state: async (world) => assert.equal((await draftsOf(world))[0]?.content, 'Soup'),
  },
  {
    name: 'is checked as a new one is',
    as: 'hamlet',
    given: begun,
    call: ['drafts.edit', edited(({ channels }) => inChannel(channels.protected))],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'cannot grow beyond what all drafts may have together',
    as: 'hamlet',
    given: async (world) => {
      await begun(world);
      await fill(world, 1, 'x'.repeat(9_990));
    },
    call: ['drafts.edit', edited(() => ({ ...SOUP, content: 'x'.repeat(2_000) }))],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
  {
    name: 'can be edited where there is room for no other',
    as: 'hamlet',
    given: async (world) => {
      await fill(world, 9, 'x');
      await world.as('hamlet').drafts.create({ drafts: many(99, 'x') });
      await begun(world);
    },
    call: ['drafts.edit', edited(() => ({ ...SOUP, content: 'Salad' }))],
  },
  {
    name: 'refused to whoever does not keep drafts on the server',
    as: 'hamlet',
    given: async (world) => {
      await begun(world);
      await withoutSync(world);
    },
    call: ['drafts.edit', edited(() => SOUP)],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

const removed = ({ kept: { soup } }: World) => ({ draft_id: soup });

export const removeDraftCases = cases('drafts.remove', [
  {
    name: 'removes a draft; the other clients of its owner alone are told',
    as: 'hamlet',
    given: begun,
    call: ['drafts.remove', removed],
    returns: {},
    events: ({ kept: { soup } }) => ({
      hamlet: [{ type: 'drafts', op: 'remove', draft_id: soup }],
      owner: [],
    }),
    state: async (world) => assert.deepEqual(await draftsOf(world), []),
  },
  {
    name: 'there is no draft with the ID: 404',
    as: 'hamlet',
    call: ['drafts.remove', { draft_id: 99 }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID 99/ },
  },
  {
    name: "another's draft is not there",
    as: 'owner',
    given: begun,
    call: ['drafts.remove', removed],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID/ },
  },
  {
    name: 'refused to whoever does not keep drafts on the server',
    as: 'hamlet',
    given: withoutSync,
    call: ['drafts.remove', { draft_id: 1 }],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

export const synchronizationCases = cases('settings.edit', [
  {
    name: 'whoever no longer keeps drafts on the server has none there, without an event for each',
    as: 'hamlet',
    given: async (world) => {
      await begun(world);
      await world.as('cordelia').drafts.create({ drafts: [SOUP] });
    },
    call: ['settings.edit', { enable_drafts_synchronization: false }],
    events: () => ({ hamlet: [{ type: 'user_settings', property: 'enable_drafts_synchronization', value: false }] }),
    state: async (world) => {
      assert.deepEqual((await world.as('hamlet').register({ fetch_event_types: ['drafts'] })).drafts, []);
      await world.as('hamlet').settings.edit({ enable_drafts_synchronization: true });
      assert.deepEqual(await draftsOf(world), []);
      assert.equal((await draftsOf(world, 'cordelia')).length, 1);
    },
  },
]);

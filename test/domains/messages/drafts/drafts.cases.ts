import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

type Fields = Record<string, unknown>;

const SOUP = { type: '' as const, to: [] as number[], topic: '', content: 'Soup' };
/** A draft of Hamlet. Its ID is `kept.soup`. */
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

/** Changes of one draft: the event goes only to clients of its owner, and the list has the draft. */
const kept = (
  name: string,
  draft: (world: World) => Fields,
  expected: (world: World) => Fields,
  given: Fields = {},
): Case => ({
  name,
  as: 'hamlet',
  call: ['drafts.create', (world) => ({ drafts: [draft(world)], ...given })],
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
  {
    name: 'a new user has an empty list of drafts',
    as: 'hamlet',
    call: ['drafts.list'],
    returns: { count: 0, drafts: [] },
  },
  {
    name: 'B6: the list has the last edited draft first, and of two added together the later one',
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
    name: 'drafts of other users are not listed, not even to an owner',
    as: 'owner',
    given: begun,
    call: ['drafts.list'],
    returns: { count: 0, drafts: [] },
  },
  {
    name: 'a bot gets a list of its drafts',
    as: 'bot',
    given: ({ as }) => as('bot').drafts.create({ drafts: [SOUP] }),
    call: ['drafts.list'],
    returns: { count: 1 },
  },
  {
    name: 'a user who does not keep drafts on the server is refused',
    as: 'hamlet',
    given: withoutSync,
    call: ['drafts.list'],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

export const createDraftsCases = cases('drafts.create', [
  kept(
    'a channel draft is kept with its topic trimmed and its content without trailing space',
    ({ channels }) => ({ ...inChannel(channels.public, '  lunch '), content: 'Soup or \n\n' }),
    ({ channels }) => ({ type: 'stream', to: [channels.public], topic: 'lunch', content: 'Soup or' }),
  ),
  kept(
    'a draft of the type channel is returned with the type stream',
    ({ channels }) => ({ ...inChannel(channels.public), type: 'channel' }),
    ({ channels }) => inChannel(channels.public),
  ),
  kept(
    'a direct draft keeps each recipient once, in order, without the writer and without a topic',
    ({ users }) => ({
      ...SOUP,
      type: 'direct',
      to: [users.owner, users.hamlet, users.cordelia, users.owner],
      topic: 'x',
    }),
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.owner, users.cordelia].sort((a, b) => a - b) }),
  ),
  kept(
    'a direct draft to oneself keeps the writer as its recipient',
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.hamlet] }),
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.hamlet] }),
  ),
  kept(
    'a direct draft without recipients is kept without an address',
    () => ({ ...SOUP, type: 'private', topic: 'x' }),
    () => SOUP,
  ),
  kept(
    'a draft without an address drops its to and topic',
    () => ({ ...SOUP, to: [99], topic: 'x' }),
    () => SOUP,
  ),
  ...[1_700_000_000.5, 0.25, 1_700_000_000].map((timestamp) =>
    kept(
      `B5: the timestamp ${timestamp} is kept, rounded down`,
      () => ({ ...SOUP, timestamp }),
      () => ({ ...SOUP, timestamp: Math.floor(timestamp) }),
    ),
  ),
  kept(
    'a draft keeps the timestamp of the client, even in the future',
    () => ({ ...SOUP, timestamp: 32_503_680_000 }),
    () => ({ ...SOUP, timestamp: 32_503_680_000 }),
  ),
  kept(
    'a draft with timestamp null gets the present time',
    () => ({ ...SOUP, timestamp: null }),
    () => SOUP,
  ),
  kept(
    'a text and topic that are too long are cut with truncate, as in a sent message',
    ({ channels }) => ({ ...inChannel(channels.public, 't'.repeat(61)), content: 'x'.repeat(10_001) }),
    ({ channels }) => ({
      ...inChannel(channels.public, `${'t'.repeat(57)}...`),
      content: `${'x'.repeat(10_000 - 20)}\n[message truncated]`,
    }),
    { truncate: true },
  ),
  kept(
    'a draft with the topic "(no topic)" gets the empty topic',
    ({ channels }) => inChannel(channels.public, '(no topic)'),
    ({ channels }) => inChannel(channels.public, ''),
  ),
  kept(
    'a draft for a public channel without a subscription is kept',
    ({ channels }) => inChannel(channels.quiet),
    ({ channels }) => inChannel(channels.quiet),
  ),
  {
    name: 'several drafts get IDs in their order, and one event lists them',
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
    name: 'an empty list of drafts sends no event',
    as: 'hamlet',
    call: ['drafts.create', { drafts: [] }],
    returns: { ids: [] },
    events: () => ({ hamlet: [] }),
  },
  refused('a draft with an empty text is refused, and no draft is kept', () => ({ ...SOUP, content: ' \n ' }), /empty/),
  refused('a draft with a NUL character is refused', () => ({ ...SOUP, content: 'a\0b' }), /NUL/),
  refused(
    'a topic with a character that cannot be shown is refused',
    ({ channels }) => inChannel(channels.public, 'a\u0007b'),
    /Character 2/,
  ),
  refused(
    'a channel draft without a channel is refused',
    ({ channels }) => ({ ...inChannel(channels.public), to: [] }),
    /exactly one/,
  ),
  refused(
    'a channel draft with two channels is refused',
    ({ channels }) => ({ ...inChannel(channels.public), to: [channels.public, channels.quiet] }),
    /exactly one/,
  ),
  refused('a draft for a missing channel is refused', () => inChannel(99), /channel with ID 99 that you can access/),
  refused(
    'a draft for a private channel the caller cannot see is refused as missing',
    ({ channels }) => inChannel(channels.protected),
    /channel with ID [0-9]+ that you can access/,
  ),
  refused(
    'a draft for an archived channel is refused as missing',
    ({ channels }) => inChannel(channels.archived),
    /channel with ID [0-9]+ that you can access/,
  ),
  refused(
    'a draft for a channel the caller can see but not read is refused',
    ({ channels }) => inChannel(channels.shared),
    /that you can access/,
    { as: 'administrator' },
  ),
  refused('a draft for an unknown user is refused', () => ({ ...SOUP, type: 'private', to: [99] }), /user with ID 99/),
  refused(
    'a draft of a restricted guest for a user they cannot see is refused as unknown',
    ({ users }) => ({ ...SOUP, type: 'private', to: [users.moderator] }),
    /user with ID [0-9]+/,
    { as: 'guest', given: (world) => world.settings(RESTRICTED) },
  ),
  refused(
    'a draft with a timestamp before 1970 is refused',
    () => ({ ...SOUP, timestamp: -1 }),
    /timestamp.* must not be negative/,
  ),
  refused(
    'a draft with a timestamp after the year 9999 is refused',
    () => ({ ...SOUP, timestamp: 253_402_300_800 }),
    /too far in the future/,
  ),
  refused(
    'a draft with a timestamp that is not a number is refused',
    () => ({ ...SOUP, timestamp: '5' }),
    /timestamp.* must be a number/,
  ),
  refused('a draft of an unknown type is refused', () => ({ ...SOUP, type: 'email' }), /type.* must be one of/),
  refused(
    'a draft without content is refused',
    () => ({ type: '', to: [], topic: '' }),
    /drafts\[1\].* must be an object with/,
  ),
  refused('a draft with an unknown key is refused', () => ({ ...SOUP, id: 3 }), /must be an object with/),
  refused('a draft that is not an object is refused', () => 'Soup', /drafts\[1\] must be an object with/),
  refused(
    'a draft for more than 1,000 users is refused',
    () => ({ ...SOUP, type: 'private', to: Array.from({ length: 1_001 }, (_, at) => at) }),
    /limit: 1000/,
  ),
  {
    name: 'a request without drafts is refused',
    as: 'hamlet',
    call: ['drafts.create', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'drafts' } },
  },
  {
    name: 'more than 100 drafts in one request are refused',
    as: 'hamlet',
    call: ['drafts.create', { drafts: many(101, 'x') }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 100/ },
  },
  {
    name: 'a user can keep 1,000 drafts',
    as: 'hamlet',
    given: (world) => fill(world, 9, 'x'),
    call: ['drafts.create', { drafts: many(100, 'x') }],
    returns: { ids: (ids: unknown) => Array.isArray(ids) && ids.length === 100 },
  },
  {
    name: 'more than 1,000 drafts of one user are refused',
    as: 'hamlet',
    given: (world) => fill(world, 10, 'x'),
    call: ['drafts.create', { drafts: [SOUP] }],
    refuses: { code: 'BAD_REQUEST', says: /at most 1000 drafts/ },
  },
  {
    name: 'drafts of one user beyond a million characters are refused, whatever the script',
    as: 'hamlet',
    given: async (world) => {
      await fill(world, 1, '🎉'.repeat(9_970));
    },
    call: ['drafts.create', { drafts: [{ ...SOUP, content: 'x'.repeat(3_000) }] }],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
  {
    name: 'a user who does not keep drafts on the server is refused',
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
    name: 'an edit replaces the whole draft, and only clients of its owner get the event',
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
    name: 'an edit without a change also sends the event',
    as: 'hamlet',
    given: begun,
    call: ['drafts.edit', edited(() => KEPT)],
    events: () => ({ hamlet: [{ type: 'drafts', op: 'update', draft: KEPT }] }),
  },
  {
    name: 'an unknown draft ID is refused with status 404',
    as: 'hamlet',
    call: ['drafts.edit', { draft_id: 99, draft: SOUP }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID 99/ },
  },
  {
    name: 'a draft of another user is refused as missing',
    as: 'cordelia',
    given: begun,
    call: ['drafts.edit', edited(() => SOUP)],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID/ },
    state: async (world) => assert.equal((await draftsOf(world))[0]?.content, 'Soup'),
  },
  {
    name: 'an edit with invalid content is refused like a new draft',
    as: 'hamlet',
    given: begun,
    call: ['drafts.edit', edited(({ channels }) => inChannel(channels.protected))],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'an edit beyond the limit of all drafts together is refused',
    as: 'hamlet',
    given: async (world) => {
      await begun(world);
      await fill(world, 1, 'x'.repeat(9_990));
    },
    call: ['drafts.edit', edited(() => ({ ...SOUP, content: 'x'.repeat(2_000) }))],
    refuses: { code: 'BAD_REQUEST', says: /1000000 characters/ },
  },
  {
    name: 'a draft can be edited when the limit of drafts is reached',
    as: 'hamlet',
    given: async (world) => {
      await fill(world, 9, 'x');
      await world.as('hamlet').drafts.create({ drafts: many(99, 'x') });
      await begun(world);
    },
    call: ['drafts.edit', edited(() => ({ ...SOUP, content: 'Salad' }))],
  },
  {
    name: 'a user who does not keep drafts on the server is refused',
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
    name: 'a draft is removed, and only clients of its owner get the event',
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
    name: 'an unknown draft ID is refused with status 404',
    as: 'hamlet',
    call: ['drafts.remove', { draft_id: 99 }],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID 99/ },
  },
  {
    name: 'a draft of another user is refused as missing',
    as: 'owner',
    given: begun,
    call: ['drafts.remove', removed],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /no draft with ID/ },
  },
  {
    name: 'a user who does not keep drafts on the server is refused',
    as: 'hamlet',
    given: withoutSync,
    call: ['drafts.remove', { draft_id: 1 }],
    refuses: { code: 'BAD_REQUEST', says: /enable_drafts_synchronization/ },
  },
]);

export const synchronizationCases = cases('settings.edit', [
  {
    name: 'turning off drafts on the server removes all drafts without an event for each',
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

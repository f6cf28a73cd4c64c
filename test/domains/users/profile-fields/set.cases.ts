import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { dataOf, fields, fill } from './filling.ts';

type Given = string | number | null | readonly unknown[];
type Value = Given | ((world: World) => Given);

const one = (field: string, value: Value) => (world: World) => ({
  data: [{ id: world.kept[field], value: typeof value === 'function' ? value(world) : value }],
});

const accepted = (name: string, field: string, value: Value, shown: { value: unknown; rendered_value?: unknown }) =>
  ({
    name,
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', one(field, value)],
    events: ({ kept, users }) => ({
      cordelia: [
        {
          type: 'realm_user',
          op: 'update',
          person: {
            user_id: users.hamlet,
            custom_profile_field: { id: kept[field], rendered_value: ABSENT, ...shown },
          },
        },
      ],
    }),
  }) satisfies Case;

const refused = (name: string, field: string, value: Value, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  given: fields,
  call: ['profileFields.set', one(field, value)],
  refuses: { code: 'BAD_REQUEST', says },
  events: () => ({ cordelia: [] }),
  state: async (world) => assert.deepEqual(await dataOf(world, 'hamlet'), {}),
});

const emptied = (name: string, value: Given): Case => ({
  name,
  as: 'hamlet',
  given: async (world) => {
    await fields(world);
    await fill(world, 'hamlet', { [world.kept.short as number]: 'Soup' });
  },
  call: ['profileFields.set', one('short', value)],
  events: ({ kept, users }) => ({
    cordelia: [
      {
        type: 'realm_user',
        person: {
          user_id: users.hamlet,
          custom_profile_field: { id: kept.short, value: null, rendered_value: ABSENT },
        },
      },
    ],
  }),
  state: async (world) => assert.deepEqual(await dataOf(world, 'hamlet'), {}),
});

export const setProfileDataCases = cases('profileFields.set', [
  accepted('short text is Markdown', 'short', '**Soup**', {
    value: '**Soup**',
    rendered_value: '<p><strong>Soup</strong></p>',
  }),
  accepted('short text has 50 characters, whatever their bytes', 'short', '🍲'.repeat(50), {
    value: '🍲'.repeat(50),
    rendered_value: /🍲|emoji/,
  }),
  accepted('long text has 500 characters', 'long', 'x'.repeat(500), {
    value: 'x'.repeat(500),
    rendered_value: `<p>${'x'.repeat(500)}</p>`,
  }),
  accepted('HTML in a text is shown as it was written', 'long', '<script>alert(1)</script>', {
    value: '<script>alert(1)</script>',
    rendered_value: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  }),
  accepted('an option is chosen by its key', 'list', '1', { value: '1' }),
  accepted('a date is a day', 'date', '2024-02-29', { value: '2024-02-29' }),
  accepted('a link is an address of the web', 'link', 'https://example.com/?q=ü', {
    value: 'https://example.com/?q=ü',
  }),
  accepted(
    'people are kept as text, each once',
    'people',
    ({ users }) => [users.cordelia, users.guest, users.cordelia],
    {
      value: /^\[\d+,\d+\]$/,
    },
  ),
  accepted('people may come as the text they are shown as', 'people', ({ users }) => `[ ${users.cordelia} ]`, {
    value: /^\[\d+\]$/,
  }),
  accepted('an account is a name', 'account', 'hamlet-prince', { value: 'hamlet-prince' }),
  accepted('pronouns are a text', 'pronouns', 'he/him', { value: 'he/him' }),
  emptied('null leaves nothing', null),
  emptied('an empty text leaves nothing', ''),
  emptied('a blank text leaves nothing', '  '),
  {
    name: 'an empty list of people leaves nobody',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      await fill(world, 'hamlet', { [world.kept.people as number]: [world.users.cordelia] });
    },
    call: ['profileFields.set', one('people', [])],
    state: async (world) => assert.deepEqual(await dataOf(world, 'hamlet'), {}),
  },
  {
    name: 'several fields are filled in at once, each in an event of its own',
    as: 'hamlet',
    given: fields,
    call: [
      'profileFields.set',
      ({ kept }) => ({
        data: [
          { id: kept.date, value: '2030-01-31' },
          { id: kept.pronouns, value: 'he' },
          { id: kept.date, value: '2030-02-01' },
        ],
      }),
    ],
    events: ({ kept }) => ({
      guest: [
        { person: { custom_profile_field: { id: kept.date, value: '2030-02-01' } } },
        { person: { custom_profile_field: { id: kept.pronouns, value: 'he' } } },
      ],
    }),
  },
  {
    name: 'what somebody has already is told to nobody',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      await fill(world, 'hamlet', { [world.kept.short as number]: 'Soup' });
    },
    call: ['profileFields.set', one('short', 'Soup')],
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'what somebody does not have is not taken from them',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', one('short', null)],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'all is applied or nothing is',
    as: 'hamlet',
    given: fields,
    call: [
      'profileFields.set',
      ({ kept }) => ({
        data: [
          { id: kept.short, value: 'Soup' },
          { id: kept.date, value: 'tomorrow' },
        ],
      }),
    ],
    refuses: { code: 'BAD_REQUEST', says: /"date" takes a date/ },
    state: async (world) => assert.deepEqual(await dataOf(world, 'hamlet'), {}),
  },
  {
    name: 'administrators fill in what is for administrators to fill in',
    as: 'administrator',
    given: fields,
    call: ['profileFields.set', one('closed', 'Chef')],
    state: async (world) =>
      assert.equal((await dataOf(world, 'administrator'))?.[`${world.kept.closed}`]?.value, 'Chef'),
  },
  {
    name: 'people who have been deactivated may stay where they are, and nobody new who is',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      const { cordelia, newcomer } = world.users;
      await fill(world, 'hamlet', { [world.kept.people as number]: [cordelia, newcomer] });
      await world.as('owner').users.deactivate({ user_id: newcomer });
    },
    call: ['profileFields.set', one('people', ({ users }) => [users.newcomer, users.owner])],
    state: async (world) => {
      const { newcomer, owner } = world.users;
      assert.equal((await dataOf(world, 'hamlet'))?.[`${world.kept.people}`]?.value, `[${newcomer},${owner}]`);
    },
  },
  {
    name: 'a guest kept from seeing everybody names those they see',
    as: 'guest',
    given: async (world) => {
      await fields(world);
      await world.settings({ can_access_all_users_group: 6 });
    },
    call: ['profileFields.set', one('people', ({ users }) => [users.hamlet])],
    state: async (world) =>
      assert.equal((await dataOf(world, 'guest'))?.[`${world.kept.people}`]?.value, `[${world.users.hamlet}]`),
  },
  {
    name: 'a guest kept from seeing everybody finds those they do not see as absent as nobody',
    as: 'guest',
    given: async (world) => {
      await fields(world);
      await world.settings({ can_access_all_users_group: 6 });
    },
    call: ['profileFields.set', one('people', ({ users }) => [users.secondOwner])],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
  {
    name: 'guests who do not see somebody are told nothing of their profile',
    as: 'secondOwner',
    given: async (world) => {
      await fields(world);
      await world.settings({ can_access_all_users_group: 6 });
    },
    call: ['profileFields.set', one('short', 'Soup')],
    events: () => ({ guest: [], cordelia: [{ type: 'realm_user' }], secondOwner: [{ type: 'realm_user' }] }),
  },
  refused('short text has 50 characters at most', 'short', 'x'.repeat(51), /at most 50/),
  refused('long text has 500 characters at most', 'long', 'x'.repeat(501), /at most 500/),
  refused('a text is no list', 'short', [], /takes a text/),
  refused('a text is no number', 'short', 7, /must be a string/),
  refused('an option is one of the list', 'list', 'Vegan', /key of one of its options/),
  refused('what every object has is no option', 'list', 'constructor', /key of one of its options/),
  refused('a date is in the calendar', 'date', '2023-02-29', /takes a date/),
  refused('a date has no year nought', 'date', '0000-01-01', /takes a date/),
  refused('a date is written with all its digits', 'date', '2030-1-31', /takes a date/),
  refused('a date has no time', 'date', '2030-01-31T09:00', /takes a date/),
  refused('a link is no script', 'link', 'javascript:alert(1)', /takes an address/),
  refused('a link has a host', 'link', 'https://', /takes an address/),
  refused('a link is in full', 'link', 'example.com', /takes an address/),
  refused('a link has no line in it', 'link', 'https://example.com/\nx', /takes an address/),
  refused('a link has 1000 characters at most', 'link', `https://example.com/${'x'.repeat(1000)}`, /at most 1000/),
  refused('people are numbers', 'people', 'cordelia', /list of user IDs/),
  refused('people are numbers that there are', 'people', '[99999999999999999999]', /list of user IDs/),
  refused('people are no list of lists', 'people', [[7]], /must be a string, a list of user IDs or null/),
  refused('people exist', 'people', [9999], /no user with ID 9999/),
  refused('people are active', 'people', ({ users }) => [users.deactivated], /deactivated/),
  refused('people are no bots', 'people', ({ users }) => [users.bot], /is a bot/),
  refused(
    'there are 200 people at most',
    'people',
    Array.from({ length: 201 }, (_, at) => at + 1),
    /limit: 200|at most 200|list of user IDs or null/,
  ),
  refused('an account has 50 characters at most', 'account', 'x'.repeat(51), /at most 50/),
  refused('pronouns have 50 characters at most', 'pronouns', 'x'.repeat(51), /at most 50/),
  refused('members do not fill in what is for administrators', 'closed', 'Chef', /for administrators/),
  {
    name: 'a field that is not there cannot be filled in',
    as: 'hamlet',
    call: ['profileFields.set', { data: [{ id: 99, value: 'x' }] }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'a value is needed, if only null',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', ({ kept }) => ({ data: [{ id: kept.short }] })],
    refuses: { code: 'BAD_REQUEST', says: /value/ },
  },
  {
    name: 'two hundred values are filled in at most at once',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', ({ kept }) => ({ data: Array(201).fill({ id: kept.short, value: 'x' }) })],
    refuses: { code: 'BAD_REQUEST', says: /limit: 200/ },
  },
  {
    name: 'bots have no profile',
    as: 'bot',
    given: fields,
    call: ['profileFields.set', one('short', 'Soup')],
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
]);

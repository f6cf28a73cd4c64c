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
  accepted('a short text is rendered as Markdown', 'short', '**Soup**', {
    value: '**Soup**',
    rendered_value: '<p><strong>Soup</strong></p>',
  }),
  accepted('a short text of 50 characters is accepted, counted in code points', 'short', '🍲'.repeat(50), {
    value: '🍲'.repeat(50),
    rendered_value: /🍲|emoji/,
  }),
  accepted('a long text of 500 characters is accepted', 'long', 'x'.repeat(500), {
    value: 'x'.repeat(500),
    rendered_value: `<p>${'x'.repeat(500)}</p>`,
  }),
  accepted('HTML in a text is escaped', 'long', '<script>alert(1)</script>', {
    value: '<script>alert(1)</script>',
    rendered_value: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  }),
  accepted('a list field takes the key of an option', 'list', '1', { value: '1' }),
  accepted('a date field takes a date as YYYY-MM-DD', 'date', '2024-02-29', { value: '2024-02-29' }),
  accepted('a link field takes a web address', 'link', 'https://example.com/?q=ü', {
    value: 'https://example.com/?q=ü',
  }),
  accepted(
    'a field of users keeps each user ID once, as text',
    'people',
    ({ users }) => [users.cordelia, users.guest, users.cordelia],
    {
      value: /^\[\d+,\d+\]$/,
    },
  ),
  accepted('a field of users takes user IDs as JSON in a text', 'people', ({ users }) => `[ ${users.cordelia} ]`, {
    value: /^\[\d+\]$/,
  }),
  accepted('an external account takes a user name', 'account', 'hamlet-prince', { value: 'hamlet-prince' }),
  accepted('a pronouns field takes a text', 'pronouns', 'he/him', { value: 'he/him' }),
  emptied('null removes the value of a field', null),
  emptied('an empty text removes the value of a field', ''),
  emptied('a blank text removes the value of a field', '  '),
  {
    name: 'an empty list of users removes the value of a field',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      await fill(world, 'hamlet', { [world.kept.people as number]: [world.users.cordelia] });
    },
    call: ['profileFields.set', one('people', [])],
    state: async (world) => assert.deepEqual(await dataOf(world, 'hamlet'), {}),
  },
  {
    name: 'several fields change in one request, with an event for each',
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
    name: 'setting the present value of a field sends no event',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      await fill(world, 'hamlet', { [world.kept.short as number]: 'Soup' });
    },
    call: ['profileFields.set', one('short', 'Soup')],
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'removing a value that is not set sends no event',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', one('short', null)],
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'one invalid value is refused together with the valid ones in the request',
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
    name: 'an administrator sets a field that only administrators edit',
    as: 'administrator',
    given: fields,
    call: ['profileFields.set', one('closed', 'Chef')],
    state: async (world) =>
      assert.equal((await dataOf(world, 'administrator'))?.[`${world.kept.closed}`]?.value, 'Chef'),
  },
  {
    name: 'a field of users keeps a user who was deactivated since',
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
    name: 'a restricted guest can name a user they see',
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
    name: 'a restricted guest gets a hidden user refused as unknown',
    as: 'guest',
    given: async (world) => {
      await fields(world);
      await world.settings({ can_access_all_users_group: 6 });
    },
    call: ['profileFields.set', one('people', ({ users }) => [users.secondOwner])],
    refuses: { code: 'BAD_REQUEST', says: /no user with ID/ },
  },
  {
    name: "a restricted guest gets no event of a hidden user's profile",
    as: 'secondOwner',
    given: async (world) => {
      await fields(world);
      await world.settings({ can_access_all_users_group: 6 });
    },
    call: ['profileFields.set', one('short', 'Soup')],
    events: () => ({ guest: [], cordelia: [{ type: 'realm_user' }], secondOwner: [{ type: 'realm_user' }] }),
  },
  refused('a short text of more than 50 characters is refused', 'short', 'x'.repeat(51), /at most 50/),
  refused('a long text of more than 500 characters is refused', 'long', 'x'.repeat(501), /at most 500/),
  refused('a list for a text field is refused', 'short', [], /takes a string/),
  refused('a number for a text field is refused', 'short', 7, /must be a string/),
  refused('an unknown option is refused', 'list', 'Vegan', /key of one of its options/),
  refused('an option named like an object property is refused', 'list', 'constructor', /key of one of its options/),
  refused('a date that does not exist is refused', 'date', '2023-02-29', /takes a date/),
  refused('a date in the year 0000 is refused', 'date', '0000-01-01', /takes a date/),
  refused('a date with a month of one digit is refused', 'date', '2030-1-31', /takes a date/),
  refused('a date with a time is refused', 'date', '2030-01-31T09:00', /takes a date/),
  refused('a link with the scheme javascript is refused', 'link', 'javascript:alert(1)', /takes a URL/),
  refused('a link without a host is refused', 'link', 'https://', /takes a URL/),
  refused('a link without a scheme is refused', 'link', 'example.com', /takes a URL/),
  refused('a link with a newline is refused', 'link', 'https://example.com/\nx', /takes a URL/),
  refused(
    'a link of more than 1000 characters is refused',
    'link',
    `https://example.com/${'x'.repeat(1000)}`,
    /at most 1000/,
  ),
  refused('a name for a field of users is refused', 'people', 'cordelia', /list of user IDs/),
  refused('a user ID beyond the safe integers is refused', 'people', '[99999999999999999999]', /list of user IDs/),
  refused('a nested list of user IDs is refused', 'people', [[7]], /must be a string, a list of user IDs or null/),
  refused('an unknown user for a field of users is refused', 'people', [9999], /no user with ID 9999/),
  refused(
    'a deactivated user for a field of users is refused',
    'people',
    ({ users }) => [users.deactivated],
    /deactivated/,
  ),
  refused('a bot for a field of users is refused', 'people', ({ users }) => [users.bot], /is a bot/),
  refused(
    'more than 200 users for a field of users are refused',
    'people',
    Array.from({ length: 201 }, (_, at) => at + 1),
    /limit: 200|at most 200|list of user IDs or null/,
  ),
  refused('an external account of more than 50 characters is refused', 'account', 'x'.repeat(51), /at most 50/),
  refused('pronouns of more than 50 characters are refused', 'pronouns', 'x'.repeat(51), /at most 50/),
  refused(
    'a member cannot set a field that only administrators edit',
    'closed',
    'Chef',
    /Only administrators can edit/,
  ),
  {
    name: 'an unknown field is refused',
    as: 'hamlet',
    call: ['profileFields.set', { data: [{ id: 99, value: 'x' }] }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'a field without a value is refused',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', ({ kept }) => ({ data: [{ id: kept.short }] })],
    refuses: { code: 'BAD_REQUEST', says: /value/ },
  },
  {
    name: 'more than 200 values in one request are refused',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.set', ({ kept }) => ({ data: Array(201).fill({ id: kept.short, value: 'x' }) })],
    refuses: { code: 'BAD_REQUEST', says: /limit: 200/ },
  },
  {
    name: 'a bot is refused',
    as: 'bot',
    given: fields,
    call: ['profileFields.set', one('short', 'Soup')],
    refuses: { code: 'BAD_REQUEST', says: /Bots/ },
  },
]);

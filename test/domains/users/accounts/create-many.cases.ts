import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { fields } from '../profile-fields/filling.ts';

const isId = (id: unknown) => Number.isSafeInteger(id);
const osric = { email: 'osric@example.com', full_name: 'Osric' };

const one = (name: string, person: object, answer: object, as: Case['as'] = 'administrator'): Case => ({
  name,
  as,
  call: ['users.createMany', { people: [{ ...osric, ...person }] }],
  returns: { people: [answer] },
});

const failed = (reason: RegExp) => ({ user_id: null, outcome: 'failed', reason });

const unverified: Case['given'] = ({ storage, users }) =>
  storage.write(async (tx) => void (await tx.users.update(users.hamlet, { is_email_verified: false })));

const subscribers = async ({ as }: World, stream_id: number) =>
  (await as('owner').channels.subscribers({ stream_id })).subscribers;

export const createManyUsersCases = cases('users.createMany', [
  {
    name: 'a row for an account with an unverified address fails',
    as: 'administrator',
    given: unverified,
    call: ['users.createMany', { people: [{ email: 'hamlet@example.com', full_name: 'Hamlet' }] }],
    returns: { people: [failed(/not verified/)] },
  },
  {
    name: 'an invitation is refused on a server without e-mail',
    as: 'administrator',
    call: ['users.createMany', { people: [osric], invite: true }],
    refuses: { code: 'BAD_REQUEST', says: /sends no e-mail/ },
  },
  {
    name: 'an invitation is refused without password login',
    as: 'administrator',
    mail: true,
    given: (world) => world.settings({ password_login: false }),
    call: ['users.createMany', { people: [osric], invite: true }],
    refuses: { code: 'BAD_REQUEST', says: /no password to set/ },
  },
  {
    name: 'valid users are created, and each other user gets a reason',
    as: 'administrator',
    call: [
      'users.createMany',
      {
        people: [
          { ...osric, role: 300, channels: [CHANNELS.quiet.toUpperCase()] },
          { email: 'HAMLET@example.com', full_name: 'Other' },
          { email: 'yorick@example.com', full_name: 'Yorick' },
          { email: 'reynaldo', full_name: 'Reynaldo' },
          { email: 'marcellus@example.com', full_name: 'M' },
          { email: ' OSRIC@example.com', full_name: 'Osric again' },
          { email: 'francisco@example.com', full_name: 'Francisco' },
        ],
      },
    ],
    returns: ({ users }) => ({
      people: [
        { user_id: isId, outcome: 'created' },
        { user_id: users.hamlet, outcome: 'exists' },
        { user_id: users.deactivated, outcome: 'deactivated' },
        failed(/not an e-mail address/),
        failed(/at least 2/),
        { user_id: isId, outcome: 'exists' },
        { user_id: isId, outcome: 'created' },
      ],
    }),
    state: async (world, { people }) => {
      const [first, , , , , again, last] = people.map(({ user_id }: { user_id: number }) => user_id);
      assert.equal(first, again);
      const { user } = await world.as('owner').users.get({ user_id: first });
      assert.deepEqual([user.full_name, user.role], ['Osric', 300]);
      assert.deepEqual(await subscribers(world, world.channels.quiet), [first]);
      const inSquare = await subscribers(world, world.channels.default);
      assert.ok(inSquare.includes(first) && inSquare.includes(last));
    },
  },
  {
    name: 'users created together send one event per group and channel',
    as: 'administrator',
    call: ['users.createMany', { people: [osric, { email: 'reynaldo@example.com', full_name: 'Reynaldo' }] }],
    events: ({ channels }) => ({
      guest: [
        { type: 'realm_user', op: 'add', person: { full_name: 'Osric' } },
        { type: 'realm_user', op: 'add', person: { full_name: 'Reynaldo' } },
        ...[5, 6].map((group_id) => ({
          type: 'user_group',
          op: 'add_members',
          group_id,
          user_ids: (ids: unknown[]) => ids.length === 2,
        })),
        { type: 'subscription', op: 'peer_add', stream_ids: [channels.default] },
      ],
    }),
  },
  one(
    'a private channel the administrator cannot read is refused as missing',
    { channels: [CHANNELS.protected] },
    failed(/no channel named "Vault"/),
  ),
  one(
    'a missing channel fails only the users for that channel',
    { channels: ['Nowhere'] },
    failed(/no channel named "Nowhere"/),
  ),
  one(
    'an archived channel is refused as missing',
    { channels: [CHANNELS.archived] },
    failed(/no channel named "Ruins"/),
  ),
  one('an administrator cannot create an owner', { role: 100 }, failed(/owner/)),
  one('an owner creates an owner', { role: 100 }, { outcome: 'created' }, 'owner'),
  one('the address of a bot is refused as in use', { email: 'clerk-bot@chat.example.com' }, failed(/already/)),
  {
    name: 'with unique names, two users in one request cannot share a name',
    as: 'administrator',
    given: ({ settings }) => settings({ require_unique_names: true }),
    call: [
      'users.createMany',
      {
        people: [
          osric,
          { email: 'second@example.com', full_name: 'OSRIC' },
          { email: 'third@example.com', full_name: 'hamlet' },
        ],
      },
    ],
    returns: { people: [{ outcome: 'created' }, failed(/taken/), failed(/taken/)] },
  },
  {
    name: 'a user is created with values of custom profile fields, and the event has them',
    as: 'administrator',
    given: fields,
    call: [
      'users.createMany',
      ({ kept }) => ({ people: [{ ...osric, profile_data: [{ id: kept.short, value: '*Soup*' }] }] }),
    ],
    returns: { people: [{ outcome: 'created' }] },
    events: ({ kept: { short = 0 } }) => ({
      hamlet: [
        {
          type: 'realm_user',
          op: 'add',
          person: { profile_data: { [short]: { value: '*Soup*', rendered_value: '<p><em>Soup</em></p>' } } },
        },
        ...Array.from({ length: 3 }, () => ({})),
      ],
    }),
  },
  {
    name: 'an invalid value of a profile field fails only its user',
    as: 'administrator',
    given: fields,
    call: [
      'users.createMany',
      ({ kept }) => ({
        people: [
          { ...osric, profile_data: [{ id: kept.date, value: 'yesterday' }] },
          {
            email: 'reynaldo@example.com',
            full_name: 'Reynaldo',
            profile_data: [{ id: kept.date, value: '2030-01-31' }],
          },
        ],
      }),
    ],
    returns: { people: [failed(/takes a date/), { outcome: 'created' }] },
  },
  one(
    'an unknown profile field fails only the users with a value for it',
    { profile_data: [{ id: 4711, value: 'x' }] },
    failed(/profile field/),
  ),
  {
    name: 'a value of a profile field that is too long is refused with its place',
    as: 'owner',
    call: ['users.createMany', { people: [{ ...osric, profile_data: [{ id: 1, value: 'x'.repeat(5_001) }] }] }],
    refuses: { code: 'BAD_REQUEST', says: /profile_data.*too long/ },
  },
  {
    name: 'an empty list of users succeeds',
    as: 'owner',
    call: ['users.createMany', { people: [] }],
    returns: { people: [] },
  },
  {
    name: 'more than 2000 users in one request are refused',
    as: 'owner',
    call: ['users.createMany', { people: Array.from({ length: 2001 }, () => ({ email: 'x', full_name: 'y' })) }],
    refuses: { code: 'BAD_REQUEST', says: /too many/ },
  },
  {
    name: 'a user with an unknown key is refused, and the refusal says where',
    as: 'owner',
    call: ['users.createMany', { people: [{ ...osric, password: 'correct horse' }] }],
    refuses: { code: 'BAD_REQUEST', says: /people\[0\]/ },
  },
  {
    name: 'a member is refused',
    as: 'hamlet',
    call: ['users.createMany', { people: [osric] }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

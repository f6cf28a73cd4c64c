import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED, type UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

/** A search that returns exactly these users in this order. */
const finds = (
  name: string,
  as: UserName,
  params: Record<string, unknown> | ((world: World) => Record<string, unknown>),
  names: readonly UserName[],
  given?: Case['given'],
): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['users.search', params],
  returns: ({ users }) => ({
    members: (members: { user_id: number }[]) => {
      assert.deepEqual(
        members.map(({ user_id }) => user_id),
        names.map((one) => users[one]),
      );
      return true;
    },
  }),
});

const hides = (visibility: 1 | 2 | 3 | 4 | 5) => (world: World) =>
  world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: visibility }));

const rename = (name: UserName, full_name: string) => (world: World) =>
  world.as('owner').users.edit({ user_id: world.users[name], full_name });

export const searchUsersCases = cases('users.search', [
  {
    name: 'the start of a name finds the account, as GET /users shows it',
    as: 'hamlet',
    call: ['users.search', { query: 'cord' }],
    returns: ({ users, emails }) => ({
      members: [
        {
          user_id: users.cordelia,
          full_name: 'Cordelia',
          delivery_email: emails.cordelia,
          role: 400,
          is_active: true,
          is_bot: false,
          profile_data: ABSENT,
        },
      ],
    }),
  },
  finds(
    'an exact name comes first, then starts of names, then words, then addresses',
    'hamlet',
    { query: 'mo' },
    ['guest', 'cordelia', 'newcomer', 'moderator'],
    async (world) => {
      await rename('guest', 'Mo')(world);
      await rename('cordelia', 'Mortimer')(world);
      await rename('newcomer', 'Ned Mo')(world);
      await rename('moderator', 'Zed')(world);
    },
  ),
  finds(
    'a search ignores case and accents',
    'hamlet',
    { query: 'CORDELIA Z' },
    ['cordelia'],
    rename('cordelia', 'Córdelia Zoë'),
  ),
  finds('each word of the query can match the start of any word', 'hamlet', { query: 'own oli' }, ['owner']),
  finds('an address is found from its start', 'hamlet', { query: 'second-owner@' }, ['secondOwner']),
  finds(
    'an exact address comes first',
    'hamlet',
    { query: 'HAMLET@example.com' },
    ['hamlet', 'cordelia'],
    rename('cordelia', 'Hamlet Example Company'),
  ),
  finds('a hidden address is not searched', 'hamlet', { query: 'cordelia@ex' }, [], hides(3)),
  finds(
    'an administrator finds an address that is hidden from members',
    'administrator',
    { query: 'cordelia@ex' },
    ['cordelia'],
    hides(3),
  ),
  finds('users find themselves by a hidden address', 'cordelia', { query: 'cordelia@ex' }, ['cordelia'], hides(4)),
  finds('deactivated accounts are left out', 'hamlet', { query: 'yor' }, []),
  finds('include_deactivated adds deactivated accounts', 'hamlet', { query: 'yor', include_deactivated: true }, [
    'deactivated',
  ]),
  finds('bots are found', 'hamlet', { query: 'cl' }, ['bot']),
  finds('include_bots false leaves bots out', 'hamlet', { query: 'cl', include_bots: false }, []),
  finds('system bots are left out', 'hamlet', { query: 'notification' }, []),
  finds(
    'subscribers of the channel come before others',
    'hamlet',
    ({ channels }) => ({ query: '', stream_id: channels.shared, include_bots: false }),
    ['hamlet', 'moderator', 'administrator', 'cordelia', 'guest', 'newcomer', 'owner', 'secondOwner'],
  ),
  finds(
    'an exact match comes before subscribers',
    'hamlet',
    ({ channels }) => ({ query: 'mona moderator', stream_id: channels.public }),
    ['moderator', 'cordelia'],
    rename('cordelia', 'Mona Moderator Junior'),
  ),
  finds(
    'a restricted guest finds only the users they can see',
    'guest',
    { query: '', include_bots: false },
    ['cordelia', 'guest', 'hamlet', 'newcomer'],
    (world) => world.settings(RESTRICTED),
  ),
  finds('a query that matches nothing finds nothing', 'hamlet', { query: 'nobody of that name' }, []),
  {
    name: 'a search returns at most 20 users',
    as: 'hamlet',
    given: ({ as }) =>
      as('owner').users.createMany({
        people: Array.from({ length: 30 }, (_, at) => ({ email: `extra${at}@example.com`, full_name: `Extra ${at}` })),
      }),
    call: ['users.search', { query: 'extra' }],
    returns: { members: (members: object[]) => members.length === 20 },
  },
  {
    name: 'a channel that the caller cannot see is refused',
    as: 'hamlet',
    call: ['users.search', ({ channels }) => ({ query: 'a', stream_id: channels.protected })],
    refuses: { code: 'BAD_REQUEST', says: /There is no channel/ },
  },
  {
    name: 'a query of more than 100 characters is refused',
    as: 'hamlet',
    call: ['users.search', { query: 'a'.repeat(101) }],
    refuses: { code: 'BAD_REQUEST', says: /query is too long/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['users.search', { query: 'a' }],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);

import { cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

export const seconds = ({ clock }: World) => Math.floor(clock.now() / 1000);

const entry = (status: 'active' | 'idle', timestamp: number) => ({
  aggregated: { client: 'website', status, timestamp, pushable: ABSENT },
  website: { client: 'website', status, timestamp, pushable: false },
});

const isEmpty = (presences: unknown) => JSON.stringify(presences) === '{}';

export const listPresencesCases = cases('presence.list', [
  {
    name: 'the list is empty before any user reports presence',
    as: 'hamlet',
    call: ['presence.list'],
    returns: { presences: isEmpty, server_timestamp: (time: unknown) => typeof time === 'number' },
  },
  {
    name: 'users who reported are listed by address with equal data in website and aggregated',
    as: 'cordelia',
    given: async (world) => {
      await world.as('hamlet').presence.report({ status: 'active' });
      world.clock.advance({ seconds: 30 });
      await world.as('guest').presence.report({ status: 'idle' });
    },
    call: ['presence.list'],
    returns: (world) => ({
      presences: {
        [world.emails.hamlet]: entry('active', seconds(world) - 30),
        [world.emails.guest]: entry('idle', seconds(world)),
        [world.emails.cordelia]: ABSENT,
      },
      presence_last_update_id: ABSENT,
    }),
  },
  {
    name: 'an idle report leaves a user active for 70 seconds after an active one, then makes them idle',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').presence.report({ status: 'active' });
      await world.as('cordelia').presence.report({ status: 'active' });
      world.clock.advance({ seconds: 60 });
      await world.as('hamlet').presence.report({ status: 'idle' });
      await world.as('cordelia').presence.report({ status: 'idle' });
      world.clock.advance({ seconds: 60 });
      await world.as('cordelia').presence.report({ status: 'idle' });
    },
    call: ['presence.list'],
    returns: (world) => ({
      presences: {
        [world.emails.hamlet]: entry('active', seconds(world) - 120),
        [world.emails.cordelia]: entry('idle', seconds(world)),
      },
    }),
  },
  {
    name: 'users without a report for two weeks are left out',
    as: 'hamlet',
    given: async (world) => {
      await world.as('cordelia').presence.report({ status: 'active' });
      world.clock.advance({ milliseconds: 1 });
      await world.as('owner').presence.report({ status: 'active' });
      world.clock.advance({ days: 14 });
    },
    call: ['presence.list'],
    returns: ({ emails }) => ({
      presences: { [emails.owner]: { website: { status: 'active' } }, [emails.cordelia]: ABSENT },
    }),
  },
  {
    name: 'deactivated users are not listed',
    as: 'hamlet',
    given: async ({ as, users }) => {
      await as('cordelia').presence.report({ status: 'active' });
      await as('owner').users.deactivate({ user_id: users.cordelia });
    },
    call: ['presence.list'],
    returns: { presences: isEmpty },
  },
  {
    name: 'a user with a hidden address is listed by their placeholder address',
    as: 'owner',
    given: async ({ as, storage, users }) => {
      await storage.write((tx) => tx.users.update(users.cordelia, { email_visibility: 4 }));
      await as('cordelia').presence.report({ status: 'active' });
    },
    call: ['presence.list'],
    returns: ({ emails, users }) => ({
      presences: {
        [`user${users.cordelia}@chat.example.com`]: { website: { status: 'active' } },
        [emails.cordelia]: ABSENT,
      },
    }),
  },
  {
    name: 'the list is empty when the organization turned presence off',
    as: 'hamlet',
    given: async ({ as, settings }) => {
      await as('cordelia').presence.report({ status: 'active' });
      await settings({ presence_disabled: true });
      await as('owner').presence.report({ status: 'active' });
    },
    call: ['presence.list'],
    returns: { presences: isEmpty },
  },
  {
    name: 'a user who turned presence off is listed as idle since minutes before that',
    as: 'owner',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ seconds: 5 });
      await as('cordelia').settings.edit({ presence_enabled: false });
      clock.advance({ seconds: 60 });
      await as('cordelia').presence.report({ status: 'active' });
    },
    call: ['presence.list'],
    returns: (world) => ({ presences: { [world.emails.cordelia]: entry('idle', seconds(world) - 380) } }),
  },
  {
    name: 'a bot gets the list and is not in it',
    as: 'bot',
    given: ({ as }) => as('hamlet').presence.report({ status: 'active' }),
    call: ['presence.list'],
    returns: ({ emails }) => ({
      presences: { [emails.hamlet]: { website: { pushable: false } }, [emails.bot]: ABSENT },
    }),
  },
  {
    name: 'a restricted guest gets only the presence of users they can see',
    as: 'guest',
    given: async ({ as, settings }) => {
      for (const user of ['cordelia', 'moderator', 'guest'] as const)
        await as(user).presence.report({ status: 'active' });
      await settings({ can_access_all_users_group: 6 });
    },
    call: ['presence.list'],
    returns: ({ emails }) => ({
      presences: { [emails.cordelia]: {}, [emails.guest]: {}, [emails.moderator]: ABSENT },
    }),
  },
  {
    name: 'slim_presence is ignored and reported as unsupported',
    as: 'hamlet',
    call: ['presence.list', { slim_presence: true }],
    returns: { presences: isEmpty, ignored_parameters_unsupported: ['slim_presence'] },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['presence.list'],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);

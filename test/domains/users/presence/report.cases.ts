import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { seconds } from './list.cases.ts';

const told = (world: World, status: 'active' | 'idle') => ({
  type: 'presence',
  user_id: world.users.hamlet,
  email: world.emails.hamlet,
  server_timestamp: seconds(world),
  presence: { website: { client: 'website', status, timestamp: seconds(world), pushable: false } },
  presences: ABSENT,
});

const longGone = (world: World) => ({
  status: 'idle',
  timestamp: seconds(world) - 320,
});

/** Presence events of users who turn presence_enabled on or off. */
export const presenceEnabledCases = cases('settings.edit', [
  {
    name: 'setting presence_enabled to its present value sends no event',
    as: 'hamlet',
    call: ['settings.edit', { presence_enabled: true }],
    events: () => ({ hamlet: [], guest: [] }),
  },
  {
    name: 'turning presence_enabled off shows the user as idle for minutes to all users at once',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').presence.report({ status: 'active' }),
    call: ['settings.edit', { presence_enabled: false }],
    events: (world) => ({
      hamlet: [
        { type: 'user_settings', property: 'presence_enabled', value: false },
        { type: 'user_status', away: true },
        { type: 'presence', presence: { website: longGone(world) } },
      ],
      guest: [
        { type: 'user_status', user_id: world.users.hamlet, away: true },
        { type: 'presence', user_id: world.users.hamlet, presence: { website: longGone(world) } },
      ],
    }),
    state: async (world) => {
      const { presences } = await world.as('owner').presence.list();
      const { status, timestamp } = presences[world.emails.hamlet]?.aggregated ?? {};
      assert.deepEqual({ status, timestamp }, longGone(world));
    },
  },
  {
    name: 'turning presence_enabled on shows the user as active to other users at once',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').settings.edit({ presence_enabled: false }),
    call: ['settings.edit', { presence_enabled: true }],
    events: (world) => ({ guest: [{ type: 'user_status', away: false }, told(world, 'active')] }),
  },
  {
    name: 'presence_enabled sends no presence event when the organization turned presence off',
    as: 'hamlet',
    given: ({ settings }) => settings({ presence_disabled: true }),
    call: ['settings.edit', { presence_enabled: false }],
    events: () => ({
      guest: [{ type: 'user_status', away: true }],
      hamlet: [
        { type: 'user_settings', property: 'presence_enabled', value: false },
        { type: 'user_status', away: true },
      ],
    }),
  },
]);

const isEmpty = (value: unknown) => JSON.stringify(value) === '{}';

export const reportPresenceCases = cases('presence.report', [
  {
    name: 'a report returns the presences, and all users get the event',
    as: 'hamlet',
    call: ['presence.report', { status: 'active' }],
    returns: (world) => ({
      presences: { [world.emails.hamlet]: { aggregated: { status: 'active', timestamp: Number.isSafeInteger } } },
      server_timestamp: (time: unknown) => typeof time === 'number',
      presence_last_update_id: (id: unknown) => Number.isSafeInteger(id),
    }),
    events: ({ users }) => ({
      hamlet: [{ type: 'presence', user_id: users.hamlet }],
      guest: [{ type: 'presence', user_id: users.hamlet }],
    }),
  },
  {
    name: '(H small) the event has the time of the server with its fraction',
    as: 'hamlet',
    given: async ({ clock }) => clock.advance({ seconds: 0.5 }),
    call: ['presence.report', { status: 'active' }],
    events: ({ clock }) => ({ guest: [{ type: 'presence', server_timestamp: clock.now() / 1000 }] }),
  },
  {
    name: 'ping_only returns no presences, and all users get the event',
    as: 'hamlet',
    call: ['presence.report', { status: 'idle', ping_only: true, new_user_input: true }],
    returns: { presences: ABSENT, server_timestamp: ABSENT, presence_last_update_id: ABSENT },
    events: (world) => ({
      hamlet: [told(world, 'idle')],
      guest: [told(world, 'idle')],
      bot: [told(world, 'idle')],
    }),
  },
  {
    name: 'slim_presence lists users by ID; active_timestamp of a never active user is their join date',
    as: 'hamlet',
    given: ({ as }) => as('cordelia').presence.report({ status: 'active' }),
    call: ['presence.report', { status: 'idle', slim_presence: true }],
    returns: (world) => ({
      presences: {
        [world.users.hamlet]: {
          active_timestamp: Math.floor(Date.UTC(2026, 2, 2, 9) / 1000),
          idle_timestamp: seconds(world),
          website: ABSENT,
        },
        [world.users.cordelia]: { active_timestamp: seconds(world), idle_timestamp: seconds(world) },
        [world.emails.cordelia]: ABSENT,
      },
    }),
  },
  {
    name: 'last_update_id -1 gives all presences in the slim form, however old',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 100 });
    },
    call: ['presence.report', { status: 'active', last_update_id: -1 }],
    returns: ({ users }) => ({ presences: { [users.cordelia]: { idle_timestamp: Number.isSafeInteger } } }),
  },
  {
    name: 'history_limit_days leaves out older presences',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 3 });
      await as('owner').presence.report({ status: 'active' });
    },
    call: ['presence.report', { status: 'active', last_update_id: -1, history_limit_days: 2 }],
    returns: ({ users }) => ({ presences: { [users.cordelia]: ABSENT, [users.owner]: {} } }),
  },
  {
    name: 'history_limit_days can be more than two weeks',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 15 });
    },
    call: ['presence.report', { status: 'active', history_limit_days: 16 }],
    returns: ({ emails }) => ({ presences: { [emails.cordelia]: {} } }),
  },
  {
    name: 'a report without history_limit_days and last_update_id returns two weeks of presences',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 15 });
    },
    call: ['presence.report', { status: 'active', slim_presence: true }],
    returns: ({ users }) => ({ presences: { [users.cordelia]: ABSENT, [users.hamlet]: {} } }),
  },
  {
    name: 'last_update_id returns only presences that changed since',
    as: 'cordelia',
    given: async (world) => {
      await world.as('cordelia').presence.report({ status: 'active' });
      const { presence_last_update_id } = await world.as('owner').presence.report({ status: 'active' });
      world.kept.last = presence_last_update_id as number;
      await world.as('hamlet').presence.report({ status: 'active' });
    },
    call: ['presence.report', ({ kept }) => ({ status: 'active', last_update_id: kept.last })],
    returns: ({ users, kept }) => ({
      presences: { [users.hamlet]: {}, [users.owner]: ABSENT, [users.cordelia]: ABSENT },
      presence_last_update_id: (id: number) => id > (kept.last as number),
    }),
  },
  {
    name: 'an idle user who becomes active sends an event',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').presence.report({ status: 'idle' }),
    call: ['presence.report', { status: 'active' }],
    events: (world) => ({ cordelia: [told(world, 'active')] }),
  },
  {
    name: 'an active user who becomes idle sends no event',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 100 });
    },
    call: ['presence.report', { status: 'idle' }],
    events: () => ({ cordelia: [] }),
    returns: (world) => ({
      presences: { [world.emails.hamlet]: { website: { status: 'idle', timestamp: seconds(world) } } },
    }),
  },
  {
    name: 'a second report within 200 seconds sends no event',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 200 });
    },
    call: ['presence.report', { status: 'active' }],
    events: () => ({ cordelia: [] }),
    returns: (world) => ({ presences: { [world.emails.hamlet]: { website: { timestamp: seconds(world) } } } }),
  },
  {
    name: 'a report after more than 200 seconds sends an event, even if idle',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'idle' });
      clock.advance({ seconds: 201 });
    },
    call: ['presence.report', { status: 'idle' }],
    events: (world) => ({ cordelia: [told(world, 'idle')] }),
  },
  {
    name: 'a second report within 55 seconds leaves the timestamp unchanged',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 54 });
    },
    call: ['presence.report', { status: 'active' }],
    events: () => ({ cordelia: [] }),
    returns: (world) => ({ presences: { [world.emails.hamlet]: { website: { timestamp: seconds(world) - 54 } } } }),
  },
  {
    name: 'a second report after 55 seconds renews the timestamp',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 55 });
    },
    call: ['presence.report', { status: 'active' }],
    returns: (world) => ({ presences: { [world.emails.hamlet]: { website: { timestamp: seconds(world) } } } }),
  },
  {
    name: 'a user who turned presence off reports without an event and still gets the presences of others',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').settings.edit({ presence_enabled: false });
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ seconds: 300 });
    },
    call: ['presence.report', { status: 'active' }],
    events: () => ({ cordelia: [] }),
    returns: (world) => ({
      presences: {
        [world.emails.cordelia]: {},
        [world.emails.hamlet]: { website: { status: 'idle', timestamp: seconds(world) - 620 } },
      },
    }),
  },
  {
    name: 'a report stores and returns nothing when the organization turned presence off',
    as: 'hamlet',
    given: ({ settings }) => settings({ presence_disabled: true }),
    call: ['presence.report', { status: 'active', last_update_id: 7 }],
    events: () => ({ cordelia: [] }),
    returns: { presences: isEmpty, presence_last_update_id: 7 },
    state: async ({ storage }) => {
      assert.deepEqual(await storage.read((tx) => tx.presences.changedSince(0)), []);
    },
  },
  {
    name: 'a restricted guest gets only presences of users they can see; users who see them get the event',
    as: 'guest',
    given: async ({ as, settings }) => {
      await as('moderator').presence.report({ status: 'active' });
      await as('hamlet').presence.report({ status: 'active' });
      await settings({ can_access_all_users_group: systemGroupId('role:members') });
    },
    call: ['presence.report', { status: 'active' }],
    returns: ({ emails }) => ({
      presences: { [emails.hamlet]: {}, [emails.guest]: {}, [emails.moderator]: ABSENT },
    }),
    events: ({ users }) => ({
      guest: [{ type: 'presence', user_id: users.guest }],
      cordelia: [{ type: 'presence', user_id: users.guest }],
    }),
  },
  {
    name: 'a restricted guest gets no presence event of a hidden user',
    as: 'moderator',
    given: ({ settings }) => settings({ can_access_all_users_group: systemGroupId('role:members') }),
    call: ['presence.report', { status: 'active' }],
    events: ({ users }) => ({ guest: [], hamlet: [{ type: 'presence', user_id: users.moderator }] }),
  },
  {
    name: 'a status other than active and idle is refused',
    as: 'hamlet',
    call: ['presence.report', { status: 'asleep' }],
    refuses: { code: 'BAD_REQUEST', says: /active, idle/ },
  },
  {
    name: 'a report without a status is refused',
    as: 'hamlet',
    call: ['presence.report', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'status' } },
  },
  {
    name: 'a last_update_id below -1 is refused',
    as: 'hamlet',
    call: ['presence.report', { status: 'active', last_update_id: -2 }],
    refuses: { code: 'BAD_REQUEST', says: /at least -1/ },
  },
  {
    name: 'a negative history_limit_days is refused',
    as: 'hamlet',
    call: ['presence.report', { status: 'active', history_limit_days: -1 }],
    refuses: { code: 'BAD_REQUEST', says: /negative/ },
  },
  {
    name: 'a bot is refused',
    as: 'bot',
    call: ['presence.report', { status: 'active' }],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

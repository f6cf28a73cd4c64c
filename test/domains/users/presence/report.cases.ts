import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/system-groups.ts';
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

/** What the organization shows of who is there follows from these settings of theirs. */
export const presenceEnabledCases = cases('settings.edit', [
  {
    name: 'a setting that stays as it is tells nobody anything',
    as: 'hamlet',
    call: ['settings.edit', { presence_enabled: true }],
    events: () => ({ hamlet: [], guest: [] }),
  },
  {
    name: 'whoever wants to be unseen looks long gone at once, to everybody',
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
    name: 'whoever wants to be seen again is there at once',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').settings.edit({ presence_enabled: false }),
    call: ['settings.edit', { presence_enabled: true }],
    events: (world) => ({ guest: [{ type: 'user_status', away: false }, told(world, 'active')] }),
  },
  {
    name: 'where the organization switched presence off nothing more is told than who wants to be unseen',
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
    name: 'whoever reports is told who is there, and the others that they are',
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
    name: 'a ping alone is answered with nothing',
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
    name: 'in the slim form people are listed by ID; who was never active was active when they joined',
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
    name: 'last_update_id -1 gives everything in the slim form, however old',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 100 });
    },
    call: ['presence.report', { status: 'active', last_update_id: -1 }],
    returns: ({ users }) => ({ presences: { [users.cordelia]: { idle_timestamp: Number.isSafeInteger } } }),
  },
  {
    name: 'history_limit_days leaves out who was there before',
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
    name: 'history_limit_days may reach further back than two weeks',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 15 });
    },
    call: ['presence.report', { status: 'active', history_limit_days: 16 }],
    returns: ({ emails }) => ({ presences: { [emails.cordelia]: {} } }),
  },
  {
    name: 'without a limit or an update, two weeks are told',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('cordelia').presence.report({ status: 'active' });
      clock.advance({ days: 15 });
    },
    call: ['presence.report', { status: 'active', slim_presence: true }],
    returns: ({ users }) => ({ presences: { [users.cordelia]: ABSENT, [users.hamlet]: {} } }),
  },
  {
    name: 'after an update only what changed is told',
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
    name: 'whoever is idle and becomes active is told of',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').presence.report({ status: 'idle' }),
    call: ['presence.report', { status: 'active' }],
    events: (world) => ({ cordelia: [told(world, 'active')] }),
  },
  {
    name: 'whoever is active and becomes idle is not told of',
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
    name: 'whoever reports again within 200 seconds is not told of',
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
    name: 'whoever was away for more than 200 seconds is told of, even if idle',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'idle' });
      clock.advance({ seconds: 201 });
    },
    call: ['presence.report', { status: 'idle' }],
    events: (world) => ({ cordelia: [told(world, 'idle')] }),
  },
  {
    name: 'a report within 55 seconds changes nothing',
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
    name: 'a report after 55 seconds is newer',
    as: 'hamlet',
    given: async ({ as, clock }) => {
      await as('hamlet').presence.report({ status: 'active' });
      clock.advance({ seconds: 55 });
    },
    call: ['presence.report', { status: 'active' }],
    returns: (world) => ({ presences: { [world.emails.hamlet]: { website: { timestamp: seconds(world) } } } }),
  },
  {
    name: 'nobody learns of a report of somebody who switched presence off, who is told of others',
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
    name: 'in an organization that switched presence off a report tells and shows nothing',
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
    name: 'guests are told of those they may see alone, and only those who see them are told of guests',
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
    name: 'a guest who has nothing to do with somebody is not told that they are there',
    as: 'moderator',
    given: ({ settings }) => settings({ can_access_all_users_group: systemGroupId('role:members') }),
    call: ['presence.report', { status: 'active' }],
    events: ({ users }) => ({ guest: [], hamlet: [{ type: 'presence', user_id: users.moderator }] }),
  },
  {
    name: 'there is no status but active and idle',
    as: 'hamlet',
    call: ['presence.report', { status: 'asleep' }],
    refuses: { code: 'BAD_REQUEST', says: /active, idle/ },
  },
  {
    name: 'a report has a status',
    as: 'hamlet',
    call: ['presence.report', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'status' } },
  },
  {
    name: 'there is no update before -1',
    as: 'hamlet',
    call: ['presence.report', { status: 'active', last_update_id: -2 }],
    refuses: { code: 'BAD_REQUEST', says: /at least -1/ },
  },
  {
    name: 'days are not negative',
    as: 'hamlet',
    call: ['presence.report', { status: 'active', history_limit_days: -1 }],
    refuses: { code: 'BAD_REQUEST', says: /negative/ },
  },
  {
    name: 'bots have no presence to report',
    as: 'bot',
    call: ['presence.report', { status: 'active' }],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { GROUP_KEYS } from '../../../world/event-keys.ts';

const SYSTEM = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
  'internet',
].map((role) => `role:${role}`);

export const listUserGroupsCases = cases('userGroups.list', [
  {
    name: 'the list has groups by ID, system groups included, with exactly the keys clients know',
    as: 'hamlet',
    call: ['userGroups.list'],
    returns: {
      user_groups: (groups: { name: string }[]) => {
        assert.deepEqual(
          groups.map((one) => one.name),
          [...SYSTEM, 'cooks', 'kitchen', 'hamletcharacters'],
        );
        for (const one of groups) assert.deepEqual(Object.keys(one).sort(), [...GROUP_KEYS].sort());
        return true;
      },
    },
  },
  {
    name: 'include_deactivated_groups lists deactivated groups too',
    as: 'hamlet',
    call: ['userGroups.list', { include_deactivated_groups: true }],
    returns: {
      user_groups: (groups: { name: string; deactivated: boolean }[]) =>
        groups.some((one) => one.name === 'disbanded' && one.deactivated),
    },
  },
  {
    name: 'a member inside the waiting period is not in role:fullmembers',
    as: 'hamlet',
    given: (world) => world.settings({ waiting_period_threshold: 3 }),
    call: ['userGroups.list'],
    returns: ({ users }) => ({
      user_groups: (groups: { name: string; members: number[] }[]) => {
        const members = (name: string) => groups.find((one) => one.name === name)?.members;
        assert.deepEqual(members('role:fullmembers'), [users.hamlet, users.cordelia, users.bot, users.webhook]);
        assert.deepEqual(members('role:members'), [
          users.hamlet,
          users.cordelia,
          users.bot,
          users.webhook,
          users.newcomer,
        ]);
        return true;
      },
    }),
  },
  {
    name: 'a guest is refused',
    as: 'guest',
    call: ['userGroups.list'],
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
  { name: 'a bot is refused', as: 'bot', call: ['userGroups.list'], refuses: { code: 'BAD_REQUEST', says: /Bots/ } },
]);

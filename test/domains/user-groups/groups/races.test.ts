import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ChatError } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { bothEngines, type WorldEngine } from '../../../world/copies.ts';
import { openWorld, type World } from '../../../world/world.ts';

/** Concurrent requests to two processes, repeated so that either can be first. */
const ROUNDS = 8;

interface Race {
  name: string;
  /** The calls of the two processes. */
  calls(here: World, there: World): [Promise<unknown>, Promise<unknown>];
  /** How many of the two can succeed. */
  succeed: readonly number[];
  /** Checks the result and then undoes it. */
  settle(world: World, outcome: readonly boolean[]): Promise<void>;
}

const races: readonly Race[] = [
  {
    name: 'adding the same member succeeds once',
    calls: (here, there) => [here, there].map((world) => members(world, { add: [world.users.cordelia] })) as Pair,
    succeed: [1],
    async settle(world) {
      assert.ok((await membersOf(world)).includes(world.users.cordelia));
      await members(world, { delete: [world.users.cordelia] });
    },
  },
  {
    name: 'removing the same member succeeds once',
    calls: (here, there) => [here, there].map((world) => members(world, { delete: [world.users.hamlet] })) as Pair,
    succeed: [1],
    async settle(world) {
      assert.ok(!(await membersOf(world)).includes(world.users.hamlet));
      await members(world, { add: [world.users.hamlet] });
    },
  },
  {
    name: 'concurrent changes of members give the result of one order',
    calls: (here, there) => [
      members(here, { add: [here.users.cordelia] }),
      members(there, { delete: [there.users.hamlet], add: [there.users.cordelia] }),
    ],
    succeed: [1],
    async settle(world, [, secondDid]) {
      const now = await membersOf(world);
      assert.deepEqual(
        [now.includes(world.users.cordelia), now.includes(world.users.hamlet)],
        [true, !secondDid],
        'all changes of a request or none',
      );
      const back = secondDid ? { add: [world.users.hamlet] } : {};
      await members(world, { delete: [world.users.cordelia], ...back });
    },
  },
  {
    name: 'a user who is deactivated during the call stays deactivated',
    calls: (here, there) => [
      members(here, { add: [here.users.cordelia] }),
      there.as('owner').users.deactivate({ user_id: there.users.cordelia }),
    ],
    succeed: [1, 2],
    async settle(world, [isAdded, isDeactivated]) {
      assert.equal(isDeactivated, true);
      const { user } = await world.as('owner').users.get({ user_id: world.users.cordelia });
      assert.equal(user.is_active, false);
      await world.as('owner').users.reactivate({ user_id: world.users.cordelia });
      if (isAdded) await members(world, { delete: [world.users.cordelia] });
    },
  },
  {
    name: 'a group that is deactivated during the call does not become a subgroup',
    calls: (here, there) => [
      here.as('owner').userGroups.updateSubgroups({
        user_group_id: here.groups.hamletcharacters,
        add: [here.groups.kitchen],
      }),
      there.as('owner').userGroups.deactivate({ user_group_id: there.groups.kitchen }),
    ],
    succeed: [1],
    async settle(world, [isNested]) {
      const { kitchen, hamletcharacters } = world.groups;
      const owner = world.as('owner');
      if (isNested) await owner.userGroups.updateSubgroups({ user_group_id: hamletcharacters, delete: [kitchen] });
      else await owner.userGroups.edit({ user_group_id: kitchen, deactivated: false });
    },
  },
  {
    name: 'a group that is deactivated during the call does not become a permission of a channel',
    calls: (here, there) => [
      here.as('owner').channels.edit({
        stream_id: here.channels.public,
        can_send_message_group: { new: here.groups.kitchen },
      }),
      there.as('owner').userGroups.deactivate({ user_group_id: there.groups.kitchen }),
    ],
    succeed: [1],
    async settle(world, [isSet]) {
      const owner = world.as('owner');
      const everyone = { new: { direct_members: [], direct_subgroups: [world.groups.hamletcharacters] } };
      if (isSet) await owner.channels.edit({ stream_id: world.channels.public, can_send_message_group: everyone });
      else await owner.userGroups.edit({ user_group_id: world.groups.kitchen, deactivated: false });
    },
  },
];

type Pair = [Promise<unknown>, Promise<unknown>];

const members = ({ as, groups }: World, change: { add?: number[]; delete?: number[] }) =>
  as('owner').userGroups.updateMembers({ user_group_id: groups.kitchen, ...change });

async function membersOf({ as, groups }: World): Promise<number[]> {
  const { members } = await as('owner').userGroups.members({ user_group_id: groups.kitchen, direct_member_only: true });
  return members;
}

async function playRounds(engine: WorldEngine, { calls, succeed, settle }: Race): Promise<void> {
  const place = await engine.place();
  const here = await openWorld(place.fixture, place.storage());
  const there = await openWorld(place.fixture, place.storage());
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const asked = round % 2 === 0 ? calls(here, there) : calls(there, here);
      const settled = await Promise.allSettled(asked);
      for (const each of settled) {
        if (each.status === 'rejected') assert.ok(each.reason instanceof ChatError, String(each.reason));
      }
      const outcome = settled.map(({ status }) => status === 'fulfilled');
      assert.ok(succeed.includes(outcome.filter(Boolean).length), `round ${round}: ${outcome}`);
      await settle(here, outcome);
    }
  } finally {
    await there.close();
    await here.close();
    await place.remove();
  }
}

for (const engine of bothEngines) {
  describe(`G9: two processes change a group at the same time, on ${engine.name}`, () => {
    for (const race of races) testOn(engine)(race.name, () => playRounds(engine, race));
  });
}

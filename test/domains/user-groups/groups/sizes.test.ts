import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAccount } from '../../../../lib/domains/users/account-creation.ts';
import { ChatError } from '../../../../lib/index.ts';
import { newGroup } from '../../../contract/fixtures.ts';
import { sqliteEngine } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';

const crowd = (world: World, size: number) =>
  world.storage.write(async (tx) => {
    const ids: number[] = [];
    for (let n = 0; n < size; n++) {
      const person = { email: `extra${n}@example.com`, full_name: `Extra ${n}`, role: 400 as const };
      ids.push((await tx.users.create(newAccount({ ...person, now: world.clock.now() }))).id);
    }
    return ids;
  });

const inWorld = (name: string, work: (world: World) => Promise<void>) =>
  test(name, async () => {
    const world = await sqliteEngine.world();
    try {
      await work(world);
      assert.deepEqual(world.failures, []);
    } finally {
      await world.close();
    }
  });

const newest = (world: World) => world.storage.read((tx) => tx.messages.maxId());

inWorld('5,000 users are added to a group in one request, without messages of the notification bot', async (world) => {
  const people = await crowd(world, 5_000);
  const { groups, users } = world;
  const owner = world.as('owner');
  const before = await newest(world);
  await owner.userGroups.updateMembers({ user_group_id: groups.cooks, add: people });
  const { members } = await owner.userGroups.members({ user_group_id: groups.kitchen });
  assert.equal(members.length, 5_002);
  const { realm_user_groups } = await world.as('guest').register({ fetch_event_types: ['realm_user_groups'] });
  const cooks = (realm_user_groups as { id: number; members: number[] }[]).find(({ id }) => id === groups.cooks);
  assert.deepEqual(cooks?.members, [users.cordelia, ...people]);
  await owner.userGroups.updateMembers({ user_group_id: groups.cooks, delete: people });
  assert.deepEqual((await owner.userGroups.members({ user_group_id: groups.cooks })).members, [users.cordelia]);
  assert.equal(await newest(world), before);
});

inWorld('each of 1,000 users added to a group at once gets a message of the notification bot', async (world) => {
  const people = await crowd(world, 1_000);
  const before = await newest(world);
  await world.as('owner').userGroups.updateMembers({ user_group_id: world.groups.cooks, add: people });
  assert.equal(await newest(world), before + 1_000);
  for (const id of [people[0] as number, people.at(-1) as number]) {
    const { messages } = await world.chat.as(id).messages.list({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [['is', 'dm']],
    });
    assert.equal(messages.length, 1);
    assert.match(String(messages[0]?.content), /added you to the group/);
    assert.deepEqual(messages[0]?.flags, []);
  }
});

inWorld('a restricted guest added to a group by a hidden user does not get the name of that user', async (world) => {
  await world.settings({ can_access_all_users_group: 6 });
  const { groups, users } = world;
  await world.as('owner').userGroups.updateMembers({ user_group_id: groups.cooks, add: [users.guest, users.hamlet] });
  const said = async (name: 'guest' | 'hamlet') => {
    const narrow: [string, string][] = [['is', 'dm']];
    const { messages } = await world.as(name).messages.list({ anchor: 'newest', num_before: 1, num_after: 0, narrow });
    return String(messages[0]?.content);
  };
  assert.match(await said('hamlet'), new RegExp(`data-user-id="${users.owner}"`));
  assert.doesNotMatch(await said('guest'), /data-user-id/);
});

inWorld('more than 5,000 groups of an organization are refused', async (world) => {
  await world.storage.write(async (tx) => {
    const { groups } = await tx.groups.count();
    for (let n = groups; n < 5_000; n++) await tx.groups.create(newGroup(`group ${n}`));
  });
  const creating = world.as('owner').userGroups.create({ name: 'one more', description: '', members: [] });
  await assert.rejects(creating, (error) => error instanceof ChatError && /5000 user groups/.test(error.message));
});

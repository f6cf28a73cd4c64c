import assert from 'node:assert/strict';
import { newAccount } from '../../../../lib/domains/users/account-creation.ts';
import { openChat } from '../../../../lib/index.ts';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { testOn } from '../../../support/engines.ts';
import { bothEngines } from '../../../world/copies.ts';
import { testInTwoProcesses } from '../../../world/processes.ts';
import { openWorld, type World } from '../../../world/world.ts';
import { inWorlds, listening } from '../../messages/in-worlds.ts';

/** Users beyond the number for which presence events are sent at once. */
async function crowd({ storage, clock }: World): Promise<number[]> {
  return storage.write(async (tx) => {
    const ids: number[] = [];
    for (let at = 0; at < 120; at++) {
      const account = newAccount({ email: `p${at}@example.com`, full_name: `P ${at}`, role: 400, now: clock.now() });
      ids.push((await tx.users.create(account)).id);
    }
    return ids;
  });
}

const rows = ({ storage }: World) => storage.read((tx) => tx.presences.changedSince(0));
const statusOf = async (world: World, email: string) =>
  (await world.as('owner').presence.list()).presences[email]?.aggregated.status;

/** Two processes with one database of many users. */
function inTwoProcesses(name: string, work: (here: World, there: World) => Promise<void>): void {
  testInTwoProcesses(name, async (here, there) => {
    await crowd(here);
    await work(here, there);
  });
}

inWorlds('presence reports in a large organization send no event and are written together', async (world) => {
  const people = await crowd(world);
  const heard = await listening(world, ['cordelia']);
  for (const id of people) await world.chat.as(id).presence.report({ status: 'active', ping_only: true });
  assert.deepEqual(await rows(world), []);
  const listed = await world.as('hamlet').presence.list();
  assert.equal(Object.keys(listed.presences).length, 120);
  await world.chat.runDue();
  assert.deepEqual(await rows(world), [], 'they wait for a few seconds');
  world.clock.advance({ seconds: 5 });
  assert.equal(await world.chat.runDue(), 120);
  const written = await rows(world);
  assert.equal(written.length, 120);
  assert.equal(new Set(written.map(({ update_id }) => update_id)).size, 1);
  assert.deepEqual(await heard('cordelia'), []);
  assert.deepEqual((await world.as('hamlet').presence.list()).presences, listed.presences);
  assert.equal(await world.chat.runDue(), 0);
});

inWorlds('a presence report takes the same number of statements however many users are active', async (world) => {
  const people = await crowd(world);
  const storage = world.storage as unknown as { statements: number };
  const counted = async () => {
    world.clock.advance({ seconds: 60 });
    const before = storage.statements;
    await world.as('hamlet').presence.report({ status: 'active', last_update_id: -1 });
    return storage.statements - before;
  };
  await counted();
  const alone = await counted();
  for (const id of people) await world.chat.as(id).presence.report({ status: 'active', ping_only: true });
  await world.chat.runDue();
  // Written presences are read once.
  await counted();
  assert.equal(await counted(), alone);
});

inWorlds('clients with simplified_presence_events get only two timestamps by user ID', async (world) => {
  const heard = await listening(world, ['cordelia'], { simplified_presence_events: true });
  await world.as('hamlet').presence.report({ status: 'active' });
  const at = Math.floor(world.clock.now() / 1000);
  assert.deepEqual(await heard('cordelia'), [
    { type: 'presence', presences: { [world.users.hamlet]: { active_timestamp: at, idle_timestamp: at } } },
  ]);
});

inWorlds('register returns presences in the requested form, and last_update_id continues from them', async (world) => {
  const { as, users, emails } = world;
  await as('hamlet').presence.report({ status: 'active' });
  const legacy = await as('cordelia').register({ fetch_event_types: ['presence'] });
  assert.deepEqual(Object.keys(legacy.presences), [emails.hamlet]);
  const slim = await as('cordelia').register({ fetch_event_types: ['presence'], slim_presence: true });
  assert.deepEqual(Object.keys(slim.presences), [String(users.hamlet)]);
  assert.equal(slim.server_timestamp, world.clock.now() / 1000);
  assert.equal(legacy.presence_last_update_id, slim.presence_last_update_id);
  await as('moderator').presence.report({ status: 'active' });
  const next = await as('guest').presence.report({
    status: 'idle',
    last_update_id: slim.presence_last_update_id as number,
  });
  assert.deepEqual(
    Object.keys(next.presences ?? {})
      .map(Number)
      .sort(),
    [users.moderator, users.guest].sort(),
  );
  world.clock.advance({ days: 3 });
  const recent = await as('cordelia').register({ fetch_event_types: ['presence'], presence_history_limit_days: 2 });
  assert.deepEqual(recent.presences, {});
});

inTwoProcesses('a presence reported to one process shows in another once it is written', async (here, there) => {
  const { hamlet } = here.emails;
  await here.as('hamlet').presence.report({ status: 'active' });
  assert.equal(await statusOf(here, hamlet), 'active');
  const before = await there.as('owner').presence.report({ status: 'idle', last_update_id: -1 });
  assert.equal((before.presences as object)[here.users.hamlet as never], undefined);
  here.clock.advance({ seconds: 5 });
  await here.chat.runDue();
  assert.equal(await statusOf(there, hamlet), 'active');
  const known = before.presence_last_update_id as number;
  const after = await there.as('owner').presence.report({ status: 'idle', last_update_id: known });
  assert.notEqual((after.presences as object)[here.users.hamlet as never], undefined);
});

inTwoProcesses(
  'a user who turns presence off in one process stays idle despite reports gathered in another',
  async (here, there) => {
    const { cordelia } = here.emails;
    await here.as('cordelia').presence.report({ status: 'active' });
    await there.as('cordelia').settings.edit({ presence_enabled: false });
    assert.equal(await statusOf(here, cordelia), 'idle');
    here.clock.advance({ seconds: 5 });
    await here.chat.runDue();
    const [row] = await rows(there);
    assert.equal(row?.active_ms, null);
    assert.ok((row?.connected_ms ?? 0) < here.clock.now() - 200_000);
  },
);

inTwoProcesses('a late presence write does not replace a newer one of another process', async (here, there) => {
  await here.as('hamlet').presence.report({ status: 'active' });
  there.clock.advance({ seconds: 100 });
  await there.as('hamlet').presence.report({ status: 'active' });
  there.clock.advance({ seconds: 5 });
  await there.chat.runDue();
  const [newer] = await rows(there);
  here.clock.advance({ seconds: 5 });
  await here.chat.runDue();
  const [row] = await rows(here);
  assert.equal(row?.connected_ms, newer?.connected_ms);
});

for (const engine of bothEngines) {
  testOn(engine)(`gathered presence reports are written when the chat closes (${engine.name})`, async () => {
    const place = await engine.place();
    const world = await openWorld(place.fixture, place.storage());
    await crowd(world);
    await world.as('hamlet').presence.report({ status: 'active' });
    await world.close();
    const storage = place.storage();
    const chat = await openChat({ storage, clock: world.clock });
    try {
      const { presences } = await chat.as(world.users.owner).presence.list();
      assert.deepEqual(Object.keys(presences), [world.emails.hamlet]);
    } finally {
      await chat.close();
      await place.remove();
    }
  });

  testOn(engine)(`limitPresence false shows restricted guests the presence of all users (${engine.name})`, async () => {
    const world = await engine.world({ limitPresence: false });
    try {
      await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
      const heard = await listening(world, ['guest']);
      await world.as('moderator').presence.report({ status: 'active' });
      assert.equal((await heard('guest')).length, 1);
      const { presences } = await world.as('guest').presence.list();
      assert.deepEqual(Object.keys(presences), [world.emails.moderator]);
    } finally {
      await world.close();
    }
  });
}

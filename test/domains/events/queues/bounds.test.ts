import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { newQueue } from '../../../contract/fixtures.ts';
import { testOn } from '../../../support/engines.ts';
import { untilPollsWait } from '../../../support/polls.ts';
import { bothEngines, sqliteEngine } from '../../../world/copies.ts';
import { twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';

// Polls do not keep a process alive. This timer does.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

const register = (world: World) => world.as('hamlet').register({ event_types: ['message'], fetch_event_types: [] });

const poll = (world: World, queue_id: string, dont_block = false) =>
  world.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block });

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`limits of event queues, on ${engine.name}`, () => {
    test('beyond 1,000 queues of a user the least recently used ends, with its poll in another process', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { hamlet, cordelia } = here.users;
      const oldest = await register(here);
      const waiting = poll(here, oldest.queue_id);
      await untilPollsWait(here.chat, 1);
      const later = { last_used_ms: here.clock.now() + 1, start_seq: 1_000_000 };
      await there.storage.write(async (tx) => {
        for (let n = 0; n < 999; n++) await tx.queues.create(newQueue(`hamlet ${n}`, hamlet, later));
        await tx.queues.create(newQueue('of another', cordelia, { last_used_ms: 1 }));
      });
      there.clock.advance({ seconds: 1 });
      const refused = assert.rejects(waiting, { code: 'BAD_EVENT_QUEUE_ID' });
      const newest = await register(there);
      await refused;
      assert.deepEqual((await poll(there, newest.queue_id, true)).events, []);
      const left = await here.storage.read(async (tx) => [
        await tx.queues.byId('hamlet 0'),
        await tx.queues.byId('of another'),
      ]);
      assert.ok(left.every((queue) => queue !== undefined));
    });

    test('a queue that is 100,000 events behind ends', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { hamlet } = here.users;
      const fresh = await register(here);
      const options = { client_capabilities: {}, apply_markdown: false, client_gravatar: true };
      const far = { lifespan: 7 * 86_400, last_used_ms: here.clock.now(), event_types: ['message'], options };
      await here.storage.write(async (tx) => {
        await tx.queues.create(newQueue('sleeping', hamlet, { ...far, start_seq: -200_000, acked_seq: -200_000 }));
        await tx.queues.create(newQueue('behind', hamlet, { ...far, start_seq: -50_000, acked_seq: -50_000 }));
      });
      await here.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content: 'one' });
      here.clock.advance({ seconds: 590 });
      await poll(here, fresh.queue_id, true);
      there.clock.advance({ seconds: 1_000 });
      await there.chat.runDue();
      await assert.rejects(poll(here, 'sleeping', true), { code: 'BAD_EVENT_QUEUE_ID' });
      assert.ok((await poll(here, 'behind', true)).events.length > 0);
    });

    test('a poll reads thousands of events of other users in parts, once', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { queue_id } = await register(world);
      const others = Array.from({ length: 17_000 }, (_, n) => ({
        audience: { scope: 'everyone' as const },
        event: { type: 'typing', op: 'start', n },
      }));
      await world.storage.write((tx) => tx.events.append(others, world.clock.now()));
      await world.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content: 'here' });
      let reads = 0;
      const { read } = world.storage;
      world.storage.read = (...given) => {
        reads++;
        return read.apply(world.storage, given) as never;
      };
      const { events } = await poll(world, queue_id, true);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['message'],
      );
      // One read for the position, and four parts.
      assert.equal(reads, 1 + 4);
      const acked = (await world.storage.read((tx) => tx.queues.byId(queue_id)))?.acked_seq as number;
      const tail = await world.storage.read((tx) => tx.events.tail());
      assert.ok(tail - acked < 5_000, `${tail - acked} are left`);
    });
  });
}

testOn(sqliteEngine)('beyond 100,000 queues of all users, registering ends those that expire next', async (t) => {
  const [here] = await twoProcesses(t, sqliteEngine);
  const { cordelia } = here.users;
  await here.storage.write(async (tx) => {
    const soon = { last_used_ms: 1 };
    for (let n = 0; n < 100_300; n++) await tx.queues.create(newQueue(`cordelia ${n}`, cordelia, soon));
  });
  for (let n = 0; n < 499; n++) await register(here);
  const { queue_id } = await register(here);
  assert.deepEqual(await here.storage.write((tx) => tx.queues.removeCrowd(100_000, 10)), []);
  assert.deepEqual((await poll(here, queue_id, true)).events, []);
});

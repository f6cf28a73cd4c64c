import assert from 'node:assert/strict';
import { createChannel, createUsers, openFounded, send, subscribe, unsubscribe } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';

const names = Array.from({ length: 260 }, (_, n) => `Person ${n}`);

for (const engine of engines) {
  const test = testOn(engine);

  test(`users with flags are found right among 260 users with flags on 200 messages, on ${engine.name}`, async (t) => {
    const { storage } = await openFounded(t, engine);
    const { channel, ids, others, topic, people } = await storage.write(async (tx) => {
      const people = Object.values(await createUsers(tx, ...names));
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, ...people);
      const topic = await tx.conversations.ensureTopic(channel, 'flagged');
      const elsewhere = await tx.conversations.ensureTopic(channel, 'between');
      const [ids, others]: [number[], number[]] = [[], []];
      const [sender] = people as [(typeof people)[0]];
      for (let n = 0; n < 200; n++) {
        ids.push(await send(tx, sender, topic));
        others.push(await send(tx, sender, elsewhere));
      }
      return { channel, ids, others, topic, people };
    });
    const [gone, between, unflagged] = people.slice(-3).map(({ id }) => id) as [number, number, number];
    await storage.write(async (tx) => {
      for (const { id } of people.slice(0, -2)) await tx.flags.set(id, ids, 'starred');
      await tx.flags.set(between, others, 'starred');
      await unsubscribe(tx, channel, ...people.slice(-3));
    });
    await storage.read(async ({ flags }) => {
      const range = { from_id: ids[0] as number, to_id: ids.at(-1) as number };
      assert.deepEqual(await flags.holders(ids, channel), [gone]);
      assert.deepEqual(await flags.holders(ids.slice(0, 3), channel), [gone]);
      assert.deepEqual(await flags.holders(others, channel), [between]);
      assert.equal((await flags.holders(ids)).length, people.length - 2);
      assert.ok(!(await flags.holders([...ids, ...others])).includes(unflagged));
      assert.deepEqual(await flags.outsiders({ conversation_id: topic.id, ...range }), [gone]);
    });
  });
}

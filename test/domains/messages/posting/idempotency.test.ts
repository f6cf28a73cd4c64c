import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testOn } from '../../../support/engines.ts';
import { bothEngines, sqliteEngine } from '../../../world/copies.ts';
import { openWorld, type World } from '../../../world/world.ts';

const toGhosts = ({ channels }: World, more: object = {}) =>
  ({ type: 'channel', to: channels.public, topic: 'ghosts', content: 'Boo', idempotency_key: 'one', ...more }) as const;

const countOf = ({ storage }: World, content = 'Boo') =>
  storage.read(async (tx) => {
    const ids = Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1);
    return (await tx.messages.byIds(ids)).filter((message) => message.content === content).length;
  });

for (const engine of bothEngines) {
  describe(`messages with an idempotency key (${engine.name})`, () => {
    const play = (name: string, run: (world: World) => Promise<void>) =>
      testOn(engine)(name, async () => {
        const world = await engine.world();
        try {
          await run(world);
        } finally {
          await world.close();
        }
      });

    play('a repeated call sends nothing and returns the first answer', async (world) => {
      const { messages } = world.as('hamlet');
      const { queue_id } = await world.as('cordelia').register({ event_types: ['message'] });
      const first = await messages.send(toGhosts(world));
      assert.deepEqual(await messages.send(toGhosts(world)), first);
      assert.deepEqual(await messages.send(toGhosts(world, { queue_id: 'another', local_id: '2' })), first);
      assert.equal(await countOf(world), 1);
      const { events } = await world.as('cordelia').events.list({ queue_id, last_event_id: -1, dont_block: true });
      assert.equal(events.length, 1);
    });

    play('the same key with another text is refused, and nothing is sent', async (world) => {
      const { messages } = world.as('hamlet');
      await messages.send(toGhosts(world));
      await assert.rejects(messages.send(toGhosts(world, { content: 'Other' })), {
        code: 'IDEMPOTENCY_KEY_REUSED',
        status: 422,
        message: /Use a new key/,
      });
      assert.equal(await countOf(world, 'Other'), 0);
    });

    play('another key, another user or no key sends again', async (world) => {
      const sent = [
        await world.as('hamlet').messages.send(toGhosts(world)),
        await world.as('hamlet').messages.send(toGhosts(world, { idempotency_key: 'two' })),
        await world.as('cordelia').messages.send(toGhosts(world)),
        await world.as('hamlet').messages.send(toGhosts(world, { idempotency_key: undefined })),
      ];
      assert.equal(new Set(sent.map(({ id }) => id)).size, 4);
    });

    play('calls at the same time send once', async (world) => {
      const { messages } = world.as('hamlet');
      const sent = await Promise.all(Array.from({ length: 20 }, () => messages.send(toGhosts(world))));
      assert.equal(new Set(sent.map(({ id }) => id)).size, 1);
      assert.equal(await countOf(world), 1);
    });

    play('a refused call can be made again', async (world) => {
      const { messages } = world.as('cordelia');
      const toSecret = toGhosts(world, { to: world.channels.shared });
      await assert.rejects(messages.send(toSecret), { code: 'STREAM_DOES_NOT_EXIST' });
      await world.as('hamlet').subscriptions.add({
        subscriptions: [{ name: 'Council' }],
        principals: [world.users.cordelia],
        send_new_subscription_messages: false,
      });
      await messages.send(toSecret);
      assert.equal(await countOf(world), 1);
    });

    play('a key is kept for 24 hours, and then removed', async (world) => {
      const { messages } = world.as('hamlet');
      const first = await messages.send(toGhosts(world));
      world.clock.advance({ hours: 23 });
      assert.deepEqual(await messages.send(toGhosts(world)), first);
      world.clock.advance({ hours: 1, seconds: 1 });
      const second = await messages.send(toGhosts(world, { content: 'Other' }));
      assert.notEqual(second.id, first.id);
      const oldest = () => world.storage.read((tx) => tx.idempotency.oldest());
      assert.equal(await oldest(), world.clock.now());
      world.clock.advance({ hours: 24, seconds: 1 });
      await world.chat.runDue();
      assert.equal(await oldest(), undefined);
    });

    play('a dry run keeps no key', async (world) => {
      const session = world.as('hamlet');
      await session.dryRun.messages.send(toGhosts(world));
      await session.messages.send(toGhosts(world));
      assert.equal(await countOf(world), 1);
    });

    testOn(engine)('two processes with the same key send once', async (t) => {
      const place = await engine.place();
      const worlds = await Promise.all([1, 2].map(() => openWorld(place.fixture, place.storage())));
      t.after(async () => {
        for (const { chat } of worlds) await chat.close();
        await place.remove();
      });
      for (let n = 0; n < 20; n++) {
        const more = { idempotency_key: `key ${n}`, content: `Boo ${n}` };
        const calls = [...worlds, ...worlds].map((world) => world.as('hamlet').messages.send(toGhosts(world, more)));
        assert.equal(new Set((await Promise.all(calls)).map(({ id }) => id)).size, 1);
        assert.equal(await countOf(worlds[0] as World, `Boo ${n}`), 1);
      }
    });
  });
}

test('hooks do not see a repeated call', async (t) => {
  let asked = 0;
  const beforeSend = () => (++asked === 1 ? { content: 'Changed' } : { refuse: 'Not now.' });
  const world = await sqliteEngine.world({ hooks: { beforeSend } });
  t.after(() => world.close());
  const { messages } = world.as('hamlet');
  const first = await messages.send(toGhosts(world));
  assert.deepEqual(await messages.send(toGhosts(world)), first);
  assert.equal(asked, 1);
  await assert.rejects(messages.send(toGhosts(world, { content: 'Other' })), { code: 'IDEMPOTENCY_KEY_REUSED' });
  assert.equal(await countOf(world, 'Changed'), 1);
});

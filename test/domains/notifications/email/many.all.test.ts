import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { engines, testOn } from '../../../support/engines.ts';
import { openMailPlace, PERIOD_SECONDS } from './places.ts';

/** Several pages of the decision. */
const PEOPLE = 5_000;
/** A plan that compares all users with all subscribers takes longer. */
const MOST_MS = 5_000;

for (const engine of engines) {
  const test = testOn(engine);

  describe(`a mention of many on ${engine.name}`, () => {
    test('a mention of all lets one e-mail wait for each subscriber, also with two workers', async (t) => {
      const place = await openMailPlace(t, engine, []);
      const { chat, storage, as, say, clock } = place;
      const other = await place.another();
      const person = (n: number) => ({ email: `p${n}@example.com`, full_name: `Person ${n}` });
      const channel = (await as('Ada').channels.create({ name: 'all', subscribers: [] })).id;
      const ids: number[] = [];
      while (ids.length < PEOPLE) {
        const people = Array.from({ length: 1_000 }, (_, n) => person(ids.length + n));
        const principals = (await as('Ada').users.createMany({ people })).people.map(({ user_id }) => Number(user_id));
        await as('Ada').subscriptions.add({
          subscriptions: [{ name: 'all' }],
          principals,
          send_new_subscription_messages: false,
        });
        ids.push(...principals);
      }
      await as('Ada').subscriptions.add({ subscriptions: [{ name: 'all' }] });
      await chat.runDue();
      // Notices about the new channel.
      await storage.write((tx) => tx.emailNotices.takeDue(clock.now() + PERIOD_SECONDS * 1000, 5_000));
      const start = performance.now();
      const message = await say('Ada', channel, 'x', '@**all** hello');
      await Promise.all([chat.runDue(), other.runDue()]);
      const ms = performance.now() - start;
      assert.ok(ms < MOST_MS, `the message and its decision took ${ms} ms`);
      const waiting = await storage.write((tx) => tx.emailNotices.takeDue(clock.now() + PERIOD_SECONDS * 1000, 5_000));
      assert.deepEqual(
        waiting.map(({ user_id }) => user_id).sort((a, b) => a - b),
        ids.sort((a, b) => a - b),
      );
      assert.ok(waiting.every(({ notices }) => notices.length === 1 && notices[0]?.message_id === message));
    });
  });
}

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { engines, testOn } from '../../../support/engines.ts';
import { openMailPlace, PERIOD_SECONDS } from './places.ts';

/** More than two pages of the decision. */
const PEOPLE = 1_100;

for (const engine of engines) {
  const test = testOn(engine);

  describe(`a mention of many on ${engine.name}`, () => {
    test('a mention of all lets one e-mail wait for each subscriber, also with two workers', async (t) => {
      const place = await openMailPlace(t, engine, []);
      const { chat, storage, as, say, clock } = place;
      const other = await place.another();
      const people = Array.from({ length: PEOPLE }, (_, n) => ({
        email: `p${n}@example.com`,
        full_name: `Person ${n}`,
      }));
      const created = await as('Ada').users.createMany({ people });
      const ids = created.people.map(({ user_id }) => Number(user_id));
      const channel = (await as('Ada').channels.create({ name: 'all', subscribers: ids })).id;
      await as('Ada').subscriptions.add({ subscriptions: [{ name: 'all' }] });
      await chat.runDue();
      // Notices about the new channel.
      await storage.write((tx) => tx.emailNotices.takeDue(clock.now() + PERIOD_SECONDS * 1000, 5_000));
      const message = await say('Ada', channel, 'x', '@**all** hello');
      await Promise.all([chat.runDue(), other.runDue()]);
      const waiting = await storage.write((tx) => tx.emailNotices.takeDue(clock.now() + PERIOD_SECONDS * 1000, 5_000));
      assert.deepEqual(
        waiting.map(({ user_id }) => user_id).sort((a, b) => a - b),
        ids.sort((a, b) => a - b),
      );
      assert.ok(waiting.every(({ notices }) => notices.length === 1 && notices[0]?.message_id === message));
    });
  });
}

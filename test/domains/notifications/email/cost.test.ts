import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { type Engine, engines, testOn } from '../../../support/engines.ts';
import { openMailPlace } from './places.ts';

/** Statements of a send, by kind of message. */
async function statementsOf(t: TestContext, engine: Engine, email: boolean): Promise<Record<string, number>> {
  const place = await openMailPlace(t, engine, ['Ben', 'Cyd'], { notifications: { email } });
  const { storage, direct, say, as } = place;
  const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd']);
  await as('Ben').userTopics.set({ stream_id: channel, topic: 'followed', visibility_policy: 3 });
  const sends = {
    'a direct message': () => direct('Ada', 'Ben', 'x'),
    'a mention': () => say('Ada', channel, 'tea', '@**Cyd** x'),
    'a channel message': () => say('Ada', channel, 'cake', 'x'),
    'a followed topic': () => say('Ada', channel, 'followed', 'x'),
  };
  const counter = storage as unknown as { statements: number };
  const found: Record<string, number> = {};
  for (const [what, send] of Object.entries(sends)) {
    // The first fills the caches.
    await send();
    const before = counter.statements;
    await send();
    found[what] = counter.statements - before;
  }
  return found;
}

for (const engine of engines) {
  const test = testOn(engine);

  describe(`the cost of a send on ${engine.name}`, () => {
    test('e-mail adds one insert for a message that may notify, and nothing for other messages', async (t) => {
      const off = await statementsOf(t, engine, false);
      const on = await statementsOf(t, engine, true);
      t.diagnostic(JSON.stringify({ off, on }));
      const added = Object.entries(on).map(([what, count]) => [what, count - (off[what] ?? 0)]);
      assert.deepEqual(Object.fromEntries(added), {
        'a direct message': 1,
        'a mention': 1,
        'a channel message': 0,
        'a followed topic': 1,
      });
    });
  });
}

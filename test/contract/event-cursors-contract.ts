import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { draft, openFounded } from './fixtures.ts';

/** Named positions in the event log. */
export function eventCursorsContract(engine: Engine): void {
  const test = testOn(engine);

  test('an event cursor has one holder until it is released or its lease ends', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ eventCursors }) => {
      await eventCursors.ensure('audit', 7);
      await eventCursors.ensure('audit', 9);
      assert.deepEqual(await eventCursors.all(), [{ name: 'audit', position: 7, holder: null, lease_until_ms: 0 }]);
      assert.equal((await eventCursors.claim('audit', 'one', 100, 200))?.position, 7);
      assert.equal(await eventCursors.claim('audit', 'two', 150, 250), undefined);
      assert.equal((await eventCursors.claim('audit', 'one', 150, 300))?.lease_until_ms, 300);
      assert.equal(await eventCursors.save('audit', 'two', 8, 400), false);
      assert.equal(await eventCursors.save('audit', 'one', 8, 400), true);
      assert.equal((await eventCursors.claim('audit', 'two', 400, 500))?.position, 8);
      assert.equal(await eventCursors.save('audit', 'one', 9, 600), false);
      await eventCursors.release('audit', 'one');
      assert.equal((await eventCursors.byName('audit'))?.holder, 'two');
      await eventCursors.release('audit', 'two');
      assert.deepEqual(await eventCursors.claim('audit', 'one', 401, 500), {
        name: 'audit',
        position: 8,
        holder: 'one',
        lease_until_ms: 500,
      });
      assert.equal(await eventCursors.claim('other', 'one', 401, 500), undefined);
      assert.deepEqual([await eventCursors.remove('audit'), await eventCursors.remove('audit')], [true, false]);
    });
  });

  test('advancing an event cursor releases it and never moves it back', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ eventCursors }) => {
      await eventCursors.ensure('audit', 7);
      await eventCursors.claim('audit', 'one', 100, 200);
      assert.equal(await eventCursors.advance('audit', 9), true);
      assert.equal(await eventCursors.save('audit', 'one', 8, 300), false);
      assert.equal(await eventCursors.advance('audit', 5), true);
      assert.deepEqual(await eventCursors.byName('audit'), {
        name: 'audit',
        position: 9,
        holder: null,
        lease_until_ms: 0,
      });
      assert.equal(await eventCursors.advance('other', 9), false);
    });
  });

  test('the event log reports how far it was trimmed, and the oldest cursor within a given distance', async (t) => {
    const { storage } = await openFounded(t, engine);
    for (const at of [100, 200, 300]) {
      await storage.write((tx) => tx.events.append([draft(`${at}`, { users: [1] })], at));
    }
    await storage.write(async ({ events, eventCursors }) => {
      const dated = await events.since(0, 10);
      assert.deepEqual(
        dated.map(({ created_ms }) => created_ms),
        [100, 200, 300],
      );
      const [first, second] = dated.map(({ seq }) => seq) as [number, number];
      assert.equal(await events.trimmedTo(), 0);
      assert.equal(await events.trim(second + 1, 1_000, 10), 2);
      assert.equal(await events.trimmedTo(), second);
      await eventCursors.ensure('far', first);
      await eventCursors.ensure('near', second);
      assert.equal(await eventCursors.oldestNeeded(0), first);
      assert.equal(await eventCursors.oldestNeeded(second), second);
      assert.equal(await eventCursors.oldestNeeded(second + 1), undefined);
    });
  });
}

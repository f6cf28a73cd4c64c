import assert from 'node:assert/strict';
import { testOn } from '../support/engines.ts';
import { postgresEngine, sqliteEngine } from '../world/copies.ts';
import { deliverConcurrently } from './concurrent-polls.ts';

for (const engine of [sqliteEngine, postgresEngine]) {
  const test = testOn(engine);
  for (const processes of [1, 2]) {
    const servers = processes === 1 ? 'one server' : 'two servers in turn';
    test(`25,000 deliveries through ${servers}, none repeated or missing, on ${engine.name}`, async (t) => {
      const load = { processes, senders: 10, listeners: 50, messages: 500 };
      assert.equal(await deliverConcurrently(t, engine, load), 25_000);
    });

    test(`3,000 deliveries over HTTP through ${servers}, none repeated or missing, on ${engine.name}`, async (t) => {
      const load = { processes, senders: 10, listeners: 10, messages: 300, http: 'polls' as const };
      assert.equal(await deliverConcurrently(t, engine, load), 3_000);
    });

    test(`25,000 deliveries by streams through ${servers}, none repeated or missing, on ${engine.name}`, async (t) => {
      const load = { processes, senders: 10, listeners: 50, messages: 500, http: 'streams' as const };
      assert.equal(await deliverConcurrently(t, engine, load), 25_000);
    });
  }
}

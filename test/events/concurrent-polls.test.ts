import assert from 'node:assert/strict';
import { testOn } from '../support/engines.ts';
import { postgresEngine, sqliteEngine } from '../world/copies.ts';
import { deliverConcurrently } from './concurrent-polls.ts';

for (const engine of [sqliteEngine, postgresEngine]) {
  testOn(engine)(`concurrent polls get each event once, on ${engine.name}`, async (t) => {
    const load = { processes: 1, senders: 10, listeners: 10, messages: 200 };
    assert.equal(await deliverConcurrently(t, engine, load), 2_000);
  });
}

import assert from 'node:assert/strict';
import { testOn } from '../support/engines.ts';
import { postgresEngine, sqliteEngine } from '../world/copies.ts';
import { deliverConcurrently } from './concurrent-polls.ts';

const WAYS = [
  ['polls in the process', {}],
  ['polls over HTTP', { http: 'polls' }],
  ['streams', { http: 'streams' }],
] as const;

/** Deliveries: messages times listeners. 100,000 take three minutes in all. */
const deliveries = Number(process.env.PARLANCE_TEST_DELIVERIES ?? 25_000);

for (const engine of [sqliteEngine, postgresEngine]) {
  const test = testOn(engine);
  for (const processes of [1, 2]) {
    const servers = processes === 1 ? 'one server' : 'two servers in turn';
    for (const [by, way] of WAYS) {
      test(`${deliveries} deliveries by ${by} of ${servers}, none repeated or missing, on ${engine.name}`, async (t) => {
        const load = { processes, senders: 10, listeners: 50, messages: deliveries / 50, ...way };
        assert.equal(await deliverConcurrently(t, engine, load), deliveries);
      });
    }
  }
}

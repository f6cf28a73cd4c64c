import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { moveTenant } from '../../examples/shards.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { describeShards, PAUSE_MS, testDeadServer } from './shard-servers.ts';

const test = testOn({ skip: withoutPostgres });

describeShards((setUp) => {
  testDeadServer(setUp, 'refuses connections');

  test('an organization moves to another server while two processes serve it; requests get 503 with Retry-After until it is there', async (t) => {
    const { servers, places, ids, request, send } = await setUp(t);
    const [id] = ids;
    const registered = await request(0, id, 'POST', '/register', { event_types: '["message"]' });
    const { queue_id, last_event_id } = registered.body as { queue_id: string; last_event_id: number };
    let isOver = false;
    const acknowledged: number[] = [];
    let refused = 0;
    let longest = 0;
    const writer = async (at: 0 | 1) => {
      let last = performance.now();
      for (let n = 0; !isOver; n++) {
        const answer = await send(at, id, `from ${at}: ${n}`);
        if (answer.status === 200) {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
          acknowledged.push(answer.body.id as number);
        } else {
          assert.equal(answer.status, 503);
          assert.equal(answer.retryAfter, '1');
          refused++;
        }
        await delay(PAUSE_MS);
      }
    };
    const received: number[] = [];
    const reader = async () => {
      let from = last_event_id;
      for (let isAtEnd = false; !isAtEnd; ) {
        const query = new URLSearchParams({ queue_id, last_event_id: String(from) });
        const answer = await request(1, id, 'GET', `/events?${query}`);
        await delay(PAUSE_MS);
        if (answer.status !== 200) {
          assert.equal(answer.status, 503);
          continue;
        }
        for (const { id, message } of answer.body.events as {
          id: number;
          message?: { id: number; content: string };
        }[]) {
          from = id;
          if (message) received.push(message.id);
          if (message?.content.includes('the end')) isAtEnd = true;
        }
      }
    };
    const writing = Promise.all([writer(0), writer(1)]);
    const reading = reader();
    await delay(300);
    const moved = await moveTenant(places, servers, id, 1);
    assert.equal(moved?.isContinued, false);
    const count = acknowledged.length;
    await delay(700);
    isOver = true;
    await writing;
    acknowledged.push((await send(0, id, 'the end')).body.id as number);
    await reading;
    assert.ok(acknowledged.length > count);
    assert.deepEqual(
      received,
      [...acknowledged].sort((a, b) => a - b),
    );
    assert.equal(await places.find(id), 1);
    t.diagnostic(`stopped for ${moved?.stoppedMs} ms, longest gap ${Math.round(longest)} ms, ${refused} refused`);
    assert.equal(await moveTenant(places, servers, id, 1), undefined);
    await moveTenant(places, servers, id, 0);
    assert.equal((await send(0, id, 'back')).status === 200 || (await send(0, id, 'back')).status === 200, true);
  });
});

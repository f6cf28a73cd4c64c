import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transportOf } from '../../lib/internal.ts';
import { until } from '../support/until.ts';
import { running } from './running.ts';

const message = { type: 'direct', to: '[1]', content: 'Hello' };

describe('while the delivery of events is late', () => {
  it('writes wait until it has caught up, and reads do not', async (t) => {
    const { chat, owner, send } = await running(t);
    const { hub } = transportOf(chat).engine;
    let lagMs = 2_000;
    hub.lagMs = () => lagMs;
    let isAnswered = false;
    const form = { ...message, to: `[${owner.user_id}]` };
    const sending = send('POST', '/api/v1/messages', { form }).finally(() => {
      isAnswered = true;
    });
    assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
    assert.equal(isAnswered, false);
    lagMs = 900;
    assert.equal((await sending).status, 200);
  });

  it('reads do not wait while several writes of their account wait', async (t) => {
    const { chat, owner, send } = await running(t);
    let lagMs = 2_000;
    let waited = 0;
    transportOf(chat).engine.hub.lagMs = () => {
      waited++;
      return lagMs;
    };
    let answered = 0;
    const form = { ...message, to: `[${owner.user_id}]` };
    const sending = Array.from({ length: 4 }, () =>
      send('POST', '/api/v1/messages', { form }).finally(() => {
        answered++;
      }),
    );
    await until('changes wait', () => waited >= 4);
    assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
    assert.equal(answered, 0);
    lagMs = 0;
    await Promise.all(sending);
  });

  it('a write that waits too long is refused and changes nothing', async (t) => {
    const { chat, owner, send, state } = await running(t);
    transportOf(chat).engine.hub.lagMs = () => 2_000;
    const before = await state();
    const form = { ...message, to: `[${owner.user_id}]` };
    const { status, headers, body } = await send('POST', '/api/v1/messages', { form });
    assert.deepEqual([status, headers['retry-after'], body.code], [429, '5', 'RATE_LIMIT_HIT']);
    assert.deepEqual(await state(), before);
  });

  it('metrics and readiness report the lag', async (t) => {
    const { chat } = await running(t);
    const { engine, readiness, metrics } = transportOf(chat);
    engine.hub.lagMs = () => 2_500;
    assert.deepEqual((await readiness(2_000)).warnings, { events: '2 s late' });
    const lag = (await metrics()).find(([name]) => name === 'parlance_event_lag_seconds');
    assert.equal(lag?.[2], 2.5);
  });
});

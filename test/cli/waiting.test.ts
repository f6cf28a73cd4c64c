import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { patient } from '../../cli/connection.ts';
import { connect, RateLimitHit } from '../../lib/index.ts';
import { running } from '../server/running.ts';

describe('a rate-limited command', () => {
  it('waits as long as the server requires, prints so on stderr and returns the response', async (t) => {
    const { url, owner } = await running(t, { rateLimits: { api_by_user: { max: 2, seconds: 2 } } });
    const session = connect({ site: url, email: owner.email, api_key: owner.api_key });
    t.after(() => session.close());
    const told: string[] = [];
    const waiting = patient(session, { err: (text) => void told.push(text) });
    for (let count = 0; count < 4; count++) assert.equal((await waiting.users.me()).user_id, owner.user_id);
    assert.ok(told.length > 0);
    for (const text of told) assert.match(text, /^Too many requests; waiting [12] s \(Ctrl-C to stop\)\.$/);
  });

  it('fails at once if the server requires too long a wait', async (t) => {
    const { url, owner } = await running(t, { rateLimits: { api_by_user: { max: 1, seconds: 3_600 } } });
    const session = connect({ site: url, email: owner.email, api_key: owner.api_key });
    t.after(() => session.close());
    await session.users.me();
    const told: string[] = [];
    await assert.rejects(patient(session, { err: (text) => void told.push(text) }).users.me(), RateLimitHit);
    assert.deepEqual(told, []);
  });
});

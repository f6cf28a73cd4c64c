import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { type Logger, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import type { ServeOptions } from '../../server/index.ts';
import { Gate } from '../support/gate.ts';
import { untilPollsWait } from '../support/polls.ts';
import { until } from '../support/until.ts';
import { basic, running, send } from './running.ts';

/** A queue of the owner's whose poll was answered over HTTP, so that the next one continues in memory. */
async function answered(t: TestContext, options: ServeOptions = {}) {
  const storage = sqlite(':memory:');
  const { chat, owner, auth, port } = await running(t, options, { storage });
  let channels = 0;
  const happen = () =>
    chat.as(owner.user_id).channels.create({ name: `channel ${++channels}`, subscribers: [owner.user_id] });
  const waits = (count: number) => untilPollsWait(chat, count);
  const path = (last: number, more = '') =>
    `${options.prefix ?? ''}/api/v1/events?queue_id=${queue_id}&last_event_id=${last}${more}`;
  const poll = (last: number, more?: string, headers: Record<string, string> = {}) =>
    send(port, 'GET', path(last, more), { auth, headers });
  const { queue_id } = await chat.as(owner.user_id).register({ event_types: ['stream'], fetch_event_types: [] });
  const first = poll(-1);
  await waits(1);
  await happen();
  const last = (await first).body.events.at(-1).id as number;
  return { chat, owner, auth, port, storage, happen, waits, path, poll, queue_id, last };
}

describe('a poll over HTTP that continues in memory', () => {
  it('runs no statement, and has all headers and its line in the request log', async (t) => {
    const lines: Record<string, unknown>[] = [];
    const keep = (data: object) => void lines.push(data as Record<string, unknown>);
    const logger: Logger = { debug() {}, info: keep, warn: keep, error: keep };
    const trustedOrigins = ['https://app.example.com'];
    const { poll, happen, waits, storage, last, owner } = await answered(t, {
      prefix: '/chat',
      logger,
      trustedOrigins,
      rateLimits: { api_by_user: { seconds: 60, max: 50 } },
    });
    const before = storage.statements;
    const waiting = poll(last, '', { origin: 'https://app.example.com' });
    await waits(1);
    assert.equal(storage.statements, before);
    await happen();
    const { status, headers, body, text } = await waiting;
    assert.equal(status, 200);
    assert.deepEqual([body.result, body.msg, body.events[0].type], ['success', '', 'stream']);
    assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
    assert.equal(headers['access-control-allow-origin'], 'https://app.example.com');
    assert.equal(headers['x-ratelimit-remaining'], '48');
    assert.match(String(headers['cache-control']), /no-store/);
    const line = () => lines.find(({ request }) => request === headers['x-request-id']);
    const { ms, waited_ms, bytes, ...rest } = await until('the log has the request', line);
    assert.deepEqual(rest, {
      request: headers['x-request-id'],
      method: 'GET',
      route: '/api/v1/events',
      operation: 'events.list',
      status: 200,
      user: owner.user_id,
    });
    assert.ok(Number(waited_ms) > 0 && Number(bytes) > text.length);
  });

  it('counts for the rate limit', async (t) => {
    const { poll, last } = await answered(t, { rateLimits: { api_by_user: { seconds: 60, max: 1 } } });
    const { status, headers, body } = await poll(last);
    assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT']);
    assert.ok(Number(headers['retry-after']) > 0);
  });

  it('is refused with a replaced API key and with the key of another user', async (t) => {
    const { poll, chat, owner, port, path, last } = await answered(t);
    const { user_id } = await chat.as(owner.user_id).users.create({
      email: 'paul@example.com',
      full_name: 'Paul',
      password: 'another long password',
    });
    const other = basic('paul@example.com', await chat.apiKeyOf(user_id));
    for (let times = 0; times < 2; times++) {
      assert.equal((await send(port, 'GET', path(last), { auth: other })).body.code, 'BAD_EVENT_QUEUE_ID');
    }
    await chat.as(owner.user_id).users.regenerateApiKey();
    assert.equal((await poll(last)).status, 401);
  });

  it('reports unknown parameters and refuses invalid ones', async (t) => {
    const { poll, happen, waits, last } = await answered(t);
    const waiting = poll(last, '&colour=blue');
    await waits(1);
    await happen();
    assert.deepEqual((await waiting).body.ignored_parameters_unsupported, ['colour']);
    assert.equal((await poll(last, '&dont_block=perhaps')).status, 400);
    assert.equal((await poll(last, '&dont_block=%ff')).status, 400);
  });

  for (const what of ['poll', 'stream']) {
    it(`is not ended by an earlier ${what} whose client left before it began`, async (t) => {
      const gate = new Gate();
      let held = 0;
      const authenticate = async ({ url = '' }: { url?: string }) => {
        if (url.includes('held')) {
          held++;
          await gate.opened;
        }
        return 'olga@example.com';
      };
      const { chat, owner, port } = await running(t, { authenticate });
      const { queue_id } = await chat.as(owner.user_id).register({ event_types: ['stream'], fetch_event_types: [] });
      const path = (way = '', more = '') => `/api/v1/events${way}?queue_id=${queue_id}&last_event_id=-1${more}`;
      const way = what === 'stream' ? '/stream' : '';
      const leaving = request({ port, host: '127.0.0.1', path: path(way, '&held=true') });
      leaving.on('error', () => undefined);
      leaving.end();
      await until('the first is being identified', () => held === 1);
      leaving.destroy();
      const next = send(port, 'GET', path());
      await untilPollsWait(chat, 1);
      gate.open();
      for (let times = 0; times < 3; times++) await send(port, 'GET', '/api/v1/users/me');
      await chat.as(owner.user_id).channels.create({ name: 'news', subscribers: [owner.user_id] });
      assert.equal((await next).body.events[0]?.type, 'stream');
      assert.equal(transportOf(chat).engine.hub.waiting, 0);
    });
  }

  it('ends when its client disconnects and when its queue is deleted', async (t) => {
    const { poll, chat, owner, auth, port, path, waits, happen, queue_id, last } = await answered(t);
    const leaving = request({ port, host: '127.0.0.1', path: path(last), headers: { authorization: auth } });
    leaving.on('error', () => undefined);
    leaving.end();
    await waits(1);
    leaving.destroy();
    await waits(0);
    const waiting = poll(last);
    await waits(1);
    await happen();
    const next = poll((await waiting).body.events.at(-1).id);
    await waits(1);
    await chat.as(owner.user_id).events.delete({ queue_id });
    assert.equal((await next).body.code, 'BAD_EVENT_QUEUE_ID');
  });
});

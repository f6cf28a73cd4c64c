import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { moveTenant, openPlaces, startServer } from '../../examples/shards.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';

const test = testOn({ skip: withoutPostgres });

const SERVERS = 3;
/** A user may send 200 requests a minute. */
const PAUSE_MS = 150;
const TENANTS = ['acme', 'bolt', 'corp'] as const;
const ownerOf = (id: string) => ({ email: `ada@${id}.example`, full_name: 'Ada' });

describe('organizations on three PostgreSQL servers', { skip: withoutPostgres ? 'no PostgreSQL' : false }, () => {
  const started: PostgresServer[] = [];
  before(async () => {
    started.push(...(await Promise.all(Array.from({ length: SERVERS }, () => startPostgresServer()))));
  });
  after(async () => {
    await Promise.all(started.map((server) => server.stop()));
  });

  /** Two processes, and one organization on each server. */
  async function setUp(t: TestContext) {
    const ends: (() => unknown)[] = [];
    const relays = await Promise.all(
      started.map(({ url }) => tcpRelay({ after: (end) => ends.push(end as never) }, url)),
    );
    const servers = relays.map(({ url }) => url);
    const ids = TENANTS.map((id) => `${id}${randomBytes(4).toString('hex')}`);
    const places = await openPlaces(servers);
    for (const [at, id] of ids.entries()) await places.put(id, at);
    const processes = [await startServer({ servers, port: 0 }), await startServer({ servers, port: 0 })] as const;
    t.after(async () => {
      await Promise.all(processes.map(({ close }) => close()));
      await places.close();
      // The relays last.
      for (const end of ends) await end();
    });
    const keys = new Map<string, string>();
    for (const id of ids) {
      await processes[0].tenants.with(id, async (chat) => {
        const { user_id } = await chat.ensureOrganization({ name: id, owner: ownerOf(id) });
        await chat.as(ownerOf(id).email).channels.create({ name: 'general', subscribers: [user_id] });
        keys.set(id, await chat.apiKeyOf(ownerOf(id).email));
      });
    }
    const request = async (at: 0 | 1, id: string, method: string, path: string, form?: Record<string, string>) => {
      const authorization = `Basic ${Buffer.from(`${ownerOf(id).email}:${keys.get(id)}`).toString('base64')}`;
      const begin = performance.now();
      const response = await fetch(`${processes[at].url}/${id}/api/v1${path}`, {
        method,
        headers: { authorization },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      });
      const text = await response.text();
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
        ms: performance.now() - begin,
      };
    };
    const send = (at: 0 | 1, id: string, content: string) =>
      request(at, id, 'POST', '/messages', { type: 'channel', to: 'general', topic: 'x', content });
    return { servers, relays, places, ids: ids as [string, string, string], processes, request, send };
  }

  for (const [how, kill] of [
    ['refuses connections', 'refuse'],
    ['does not answer', 'dropAll'],
  ] as const) {
    test(`the organizations of a server that ${how} get 503, and the others notice nothing`, async (t) => {
      const { relays, ids, processes, request, send } = await setUp(t);
      const [first, second, third] = ids;
      // Background work is due while the server is dead.
      for (const id of ids) {
        const deliver_at = String(Math.floor(Date.now() / 1000) + 3);
        const scheduled = await request(0, id, 'POST', '/scheduled_messages', {
          type: 'channel',
          to: String((await request(0, id, 'GET', '/get_stream_id?stream=general')).body.stream_id),
          topic: 'later',
          content: 'due',
          scheduled_delivery_timestamp: deliver_at,
        });
        assert.equal(scheduled.status, 200);
      }
      for (const { tenants } of processes) await tenants.forget(third);
      relays[2]?.[kill]();
      const dead = Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const answer = await send((n % 2) as 0 | 1, third, 'lost');
          assert.equal(answer.status, 503);
          assert.equal(answer.retryAfter, '1');
        }),
      );
      const slowest: number[] = [];
      for (let n = 0; n < 40; n++) {
        const id = n % 2 ? first : second;
        const answer = await send((n % 4 > 1 ? 1 : 0) as 0 | 1, id, `message ${n}`);
        assert.equal(answer.status, 200);
        slowest.push(answer.ms);
      }
      // A request that waits for the dead server would take 10 s.
      assert.ok(Math.max(...slowest) < 8_000, `the slowest answer took ${Math.max(...slowest)} ms`);
      await dead;
      for (const id of [first, second]) {
        await until(
          `the scheduled message of ${id} is delivered`,
          async () => {
            const { body } = await request(0, id, 'GET', '/messages?anchor=newest&num_before=200&num_after=0');
            return (body.messages as { subject: string }[]).some(({ subject }) => subject === 'later');
          },
          { every: 200, seconds: 60 },
        );
      }
      relays[2]?.restore();
    });
  }

  test('an organization moves to another server while two processes serve it; requests get 503 with Retry-After until it is there', async (t) => {
    const { servers, places, ids, request, send } = await setUp(t);
    const [id] = ids;
    const registered = await request(0, id, 'POST', '/register', { event_types: '["message"]' });
    const { queue_id, last_event_id } = registered.body as { queue_id: string; last_event_id: number };
    let isOver = false;
    let isWritten = false;
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
      while (!isWritten || received.length < acknowledged.length) {
        const query = new URLSearchParams({ queue_id, last_event_id: String(from), dont_block: String(isWritten) });
        const answer = await request(1, id, 'GET', `/events?${query}`);
        await delay(PAUSE_MS);
        if (answer.status !== 200) {
          assert.equal(answer.status, 503);
          continue;
        }
        for (const event of answer.body.events as { id: number; type: string; message?: { id: number } }[]) {
          from = event.id;
          if (event.message) received.push(event.message.id);
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
    isWritten = true;
    // The reader may have all messages, and wait for another one.
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

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, type TestContext } from 'node:test';
import { openPlaces, startServer } from '../../examples/shards.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';

const test = testOn({ skip: withoutPostgres });

const SERVERS = 2;
/** A user may send 200 requests a minute. */
export const PAUSE_MS = 150;
const TENANTS = ['acme', 'bolt'] as const;
const ownerOf = (id: string) => ({ email: `ada@${id}.example`, full_name: 'Ada' });

export type SetUp = (t: TestContext) => ReturnType<typeof setUpOn>;

/** Describes organizations on several servers. */
export function describeShards(register: (setUp: SetUp) => void): void {
  describe('organizations on two PostgreSQL servers', { skip: withoutPostgres ? 'no PostgreSQL' : false }, () => {
    const started: PostgresServer[] = [];
    before(async () => {
      started.push(...(await Promise.all(Array.from({ length: SERVERS }, () => startPostgresServer()))));
    });
    after(async () => {
      await Promise.all(started.map((server) => server.stop()));
    });

    register((t) => setUpOn(started, t));
  });
}

/** Two processes, and one organization on each server. */
async function setUpOn(started: readonly PostgresServer[], t: TestContext) {
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
  return { servers, relays, places, ids: ids as [string, string], processes, request, send };
}

/** Ways in which a server dies. */
const DEATHS = { 'refuses connections': 'refuse', 'does not answer': 'dropAll' } as const;

export function testDeadServer(setUp: SetUp, how: keyof typeof DEATHS): void {
  test(`the organizations of a server that ${how} get 503, and the others notice nothing`, async (t) => {
    const { relays, ids, processes, request, send } = await setUp(t);
    const [living, lost] = ids;
    // Background work is due while the server is dead. A time that passes before the request is refused.
    for (const id of ids) {
      const deliver_at = String(Math.floor(Date.now() / 1000) + 5);
      const scheduled = await request(0, id, 'POST', '/scheduled_messages', {
        type: 'channel',
        to: String((await request(0, id, 'GET', '/get_stream_id?stream=general')).body.stream_id),
        topic: 'later',
        content: 'due',
        scheduled_delivery_timestamp: deliver_at,
      });
      assert.equal(scheduled.status, 200);
    }
    for (const { tenants } of processes) await tenants.forget(lost);
    relays[1]?.[DEATHS[how]]();
    const dead = Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const answer = await send((n % 2) as 0 | 1, lost, 'lost');
        assert.equal(answer.status, 503);
        assert.equal(answer.retryAfter, '1');
      }),
    );
    const slowest: number[] = [];
    for (let n = 0; n < 20; n++) {
      const answer = await send((n % 2) as 0 | 1, living, `message ${n}`);
      assert.equal(answer.status, 200);
      slowest.push(answer.ms);
    }
    // A request that waits for the dead server would take 10 s.
    assert.ok(Math.max(...slowest) < 8_000, `the slowest answer took ${Math.max(...slowest)} ms`);
    await dead;
    await until(
      'the scheduled message is delivered',
      async () => {
        const { body } = await request(0, living, 'GET', '/messages?anchor=newest&num_before=200&num_after=0');
        return (body.messages as { subject: string }[]).some(({ subject }) => subject === 'later');
      },
      { every: 200, seconds: 60 },
    );
    relays[1]?.restore();
  });
}

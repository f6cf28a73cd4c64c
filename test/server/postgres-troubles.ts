import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import { type PostgresOptions, postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { type TcpRelay, tcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';
import { messagesTold, startSending, troubled, untilWell } from './database-trouble.ts';

/** A server that the tests of a file may stop. */
export interface TroubledServer {
  server(): PostgresServer;
  freshSchema(): string;
}

export function describeTroubles(register: (on: TroubledServer) => void): void {
  describe('a chat on PostgreSQL with failures', { skip: withoutPostgres }, () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgresServer();
    });
    after(() => server.stop());
    let schemas = 0;
    register({ server: () => server, freshSchema: () => `trouble_${++schemas}` });
  });
}

/** Restarts the server so many times during load. */
export function testRestarts({ server, freshSchema }: TroubledServer, times: number): void {
  const often = times === 1 ? 'restarts' : `restarts ${times} times`;
  it(`answers 503 while PostgreSQL ${often}, then recovers without losing acknowledged messages or events`, async (t) => {
    const chat = await troubled(t, postgres(server().url, { schema: freshSchema(), poolSize: 5 }));
    const { queue_id } = (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
    const { refused, stop } = startSending(chat);
    for (let time = 0; time < times; time++) {
      const enough = chat.acknowledged.size + 20;
      await until('20 more messages are acknowledged', () => chat.acknowledged.size >= enough);
      const before = refused.length;
      await server().halt();
      await until('20 requests are refused', () => refused.length >= before + 20);
      chat.checkUnavailable(await chat.send('GET', '/api/v1/users/me'), { passing: true });
      await server().resume();
      await untilWell(chat, () => chat.say(`after ${time}`));
    }
    await stop();
    for (const answer of refused) chat.checkUnavailable(answer, { passing: true });
    const everything = await chat.everything();
    for (const [id, content] of chat.acknowledged)
      assert.equal(everything.get(id), content, 'no acknowledged message is lost');
    // A message whose commit was interrupted may be stored. If so, it has its event.
    assert.deepEqual(
      await messagesTold(chat, queue_id),
      [...everything.keys()].sort((a, b) => a - b),
    );
  });
}

/** What the network drops without a word. */
const DROPS = {
  'established connections are': (relay: TcpRelay) => relay.dropEstablished(),
  'the network is': (relay: TcpRelay) => relay.dropAll(),
};

export function testDrop({ server, freshSchema }: TroubledServer, what: keyof typeof DROPS): void {
  it(`answers 503 and is not ready after ${what} dropped silently, and recovers`, async (t) => {
    const relay = await tcpRelay(t, server().url);
    const chat = await troubled(t, postgres(relay.url, { schema: freshSchema(), poolSize: 5 }));
    const { queue_id } = (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
    const { refused, stop } = startSending(chat);
    await until('50 messages are acknowledged', () => chat.acknowledged.size >= 50);
    DROPS[what](relay);
    const isReady = async () => (await chat.send('GET', '/ready')).status === 200;
    await until('the server is not ready', async () => !(await isReady()), { every: 100 });
    relay.restore();
    await untilWell(chat, () => chat.say('after'));
    await until('the server is ready', isReady, { every: 100 });
    await stop();
    for (const answer of refused) chat.checkUnavailable(answer, { passing: true });
    const everything = await chat.everything();
    for (const [id, content] of chat.acknowledged)
      assert.equal(everything.get(id), content, 'no acknowledged message is lost');
    assert.deepEqual(
      await messagesTold(chat, queue_id),
      [...everything.keys()].sort((a, b) => a - b),
    );
  });
}

export function testLimit({ server, freshSchema }: TroubledServer, limit: 'lock' | 'statement'): void {
  it(`answers 503 when a ${limit} takes too long, and recovers`, async (t) => {
    const schema = freshSchema();
    const pool = new pg.Pool({ connectionString: server().url, max: 5, [`${limit}_timeout`]: 300 });
    const chat = await troubled(t, ownPool(pool, { schema }));
    const holder = new pg.Client({ connectionString: server().url });
    await holder.connect();
    try {
      await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${keysOf(schema).writers})`);
      const answers = await Promise.all([1, 2, 3].map((at) => chat.say(`waits ${at}`)));
      for (const answer of answers) chat.checkUnavailable(answer, { passing: true });
      chat.checkUnavailable(
        await chat.send('POST', '/api/v1/channels/create', { form: { name: 'x', subscribers: '[]' } }),
        {
          passing: true,
        },
      );
      assert.equal((await chat.send('GET', '/api/v1/users/me')).status, 200, 'reads do not wait');
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    assert.equal((await chat.say('again')).status, 200);
    assert.deepEqual([...(await chat.everything()).values()], ['again']);
  });
}

/** A pool with its own limits, ended after the storage. */
function ownPool(pool: pg.Pool, options: PostgresOptions) {
  pool.on('error', () => undefined);
  const storage = postgres({ pool }, options);
  const close = storage.close.bind(storage);
  storage.close = async () => {
    await close();
    await pool.end();
  };
  return storage;
}

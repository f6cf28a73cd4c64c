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

/** The maximum connections of the role: those of the pool, and the one that listens for commits. */
const CONNECTIONS = 6;

describe('a chat on PostgreSQL with failures', { skip: withoutPostgres }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgresServer();
  });
  after(() => server.stop());

  let schemas = 0;
  const freshSchema = () => `trouble_${++schemas}`;

  async function asOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  it('answers 503 while PostgreSQL restarts, then recovers without losing acknowledged messages or events', async (t) => {
    const chat = await troubled(t, postgres(server.url, { schema: freshSchema(), poolSize: 5 }));
    const { queue_id } = (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
    const { refused, stop } = startSending(chat);
    for (let time = 0; time < 2; time++) {
      const enough = chat.acknowledged.size + 20;
      await until('20 more messages are acknowledged', () => chat.acknowledged.size >= enough);
      const before = refused.length;
      await server.halt();
      await until('20 requests are refused', () => refused.length >= before + 20);
      chat.checkUnavailable(await chat.send('GET', '/api/v1/users/me'), { passing: true });
      await server.resume();
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

  it('a poll that waited during a restart receives later events', async (t) => {
    const chat = await troubled(t, postgres(server.url, { schema: freshSchema(), poolSize: 5 }));
    const { queue_id, last_event_id } = (
      await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })
    ).body;
    const poll = () => chat.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`);
    const waiting = untilWell(chat, poll);
    await server.halt();
    await server.resume();
    const { body } = await untilWell(chat, () => chat.say('after the restart'));
    assert.equal((await waiting).body.events[0].message.id, body.id);
  });

  it('answers 503 without free connections, and recovers', async (t) => {
    const schema = freshSchema();
    await asOwner(
      `CREATE ROLE ${schema} LOGIN PASSWORD 'x' CONNECTION LIMIT ${CONNECTIONS}`,
      `CREATE SCHEMA ${schema} AUTHORIZATION ${schema}`,
    );
    const url = new URL(server.url);
    url.username = schema;
    url.password = 'x';
    const chat = await troubled(t, postgres(url.href, { schema, poolSize: 5 }));
    await chat.say('before');
    const others = await takeAll(url.href, schema);
    try {
      chat.checkUnavailable(await chat.say('too many'), { passing: true });
      chat.checkUnavailable(await chat.send('GET', '/api/v1/users/me'), { passing: true });
    } finally {
      for (const other of others) await other.end();
    }
    await untilWell(chat, () => chat.say('again'));
    assert.deepEqual([...(await chat.everything()).values()], ['before', 'again']);
  });

  /** Takes all connections of the role, by ending those of the chat. */
  async function takeAll(url: string, role: string): Promise<pg.Client[]> {
    const taken: pg.Client[] = [];
    await until('all connections are taken', async () => {
      await asOwner(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE usename = '${role}' AND application_name <> 'another'`,
      );
      const client = new pg.Client({ connectionString: url, application_name: 'another' });
      client.on('error', () => undefined);
      // The chat may have connected first.
      await client.connect().then(
        () => taken.push(client),
        (error: { code?: string }) => assert.equal(error.code, '53300'),
      );
      return taken.length === CONNECTIONS;
    });
    return taken;
  }

  for (const [what, drop] of [
    ['established connections are', (relay: TcpRelay) => relay.dropEstablished()],
    ['the network is', (relay: TcpRelay) => relay.dropAll()],
  ] as const) {
    it(`answers 503 and is not ready after ${what} dropped silently, and recovers`, async (t) => {
      const relay = await tcpRelay(t, server.url);
      const chat = await troubled(t, postgres(relay.url, { schema: freshSchema(), poolSize: 5 }));
      const { queue_id } = (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
      const { refused, stop } = startSending(chat);
      await until('50 messages are acknowledged', () => chat.acknowledged.size >= 50);
      drop(relay);
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

  for (const [limit, setting] of [
    ['lock', 'lock_timeout'],
    ['statement', 'statement_timeout'],
  ] as const) {
    it(`answers 503 when a ${limit} takes too long, and recovers`, async (t) => {
      const schema = freshSchema();
      const pool = new pg.Pool({ connectionString: server.url, max: 5, [setting]: 300 });
      const chat = await troubled(t, ownPool(pool, { schema }));
      const holder = new pg.Client({ connectionString: server.url });
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

  it('answers 503 to writes while the database is read-only, and recovers', async (t) => {
    const chat = await troubled(t, postgres(server.url, { schema: freshSchema(), poolSize: 5 }));
    const drop = () =>
      asOwner("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlance'");
    await asOwner('ALTER DATABASE postgres SET default_transaction_read_only = on');
    await drop();
    const reading = () => chat.send('GET', '/api/v1/users/me');
    await untilWell(chat, reading);
    chat.checkUnavailable(await chat.say('not now'), { passing: false });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('BEGIN READ WRITE; ALTER DATABASE postgres RESET default_transaction_read_only; COMMIT');
    await client.end();
    await drop();
    await untilWell(chat, reading);
    assert.equal((await chat.say('again')).status, 200);
  });
});

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

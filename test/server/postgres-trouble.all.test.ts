import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { until } from '../support/until.ts';
import { troubled, untilWell } from './database-trouble.ts';
import { describeTroubles, testLimit, testRestarts } from './postgres-troubles.ts';

/** The maximum connections of the role: those of the pool, and the one that listens for commits. */
const CONNECTIONS = 6;

describeTroubles((on) => {
  const { server, freshSchema } = on;

  async function asOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server().url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  testRestarts(on, 1);
  testLimit(on, 'lock');

  it('a poll that waited during a restart receives later events', async (t) => {
    const chat = await troubled(t, postgres(server().url, { schema: freshSchema(), poolSize: 5 }));
    const { queue_id, last_event_id } = (
      await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })
    ).body;
    const poll = () => chat.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`);
    const waiting = untilWell(chat, poll);
    await server().halt();
    await server().resume();
    const { body } = await untilWell(chat, () => chat.say('after the restart'));
    assert.equal((await waiting).body.events[0].message.id, body.id);
  });

  it('answers 503 without free connections, and recovers', async (t) => {
    const schema = freshSchema();
    await asOwner(
      `CREATE ROLE ${schema} LOGIN PASSWORD 'x' CONNECTION LIMIT ${CONNECTIONS}`,
      `CREATE SCHEMA ${schema} AUTHORIZATION ${schema}`,
    );
    const url = new URL(server().url);
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

  it('answers 503 to writes while the database is read-only, and recovers', async (t) => {
    const chat = await troubled(t, postgres(server().url, { schema: freshSchema(), poolSize: 5 }));
    const drop = () =>
      asOwner("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlance'");
    await asOwner('ALTER DATABASE postgres SET default_transaction_read_only = on');
    await drop();
    const reading = () => chat.send('GET', '/api/v1/users/me');
    await untilWell(chat, reading);
    chat.checkUnavailable(await chat.say('not now'), { passing: false });
    const client = new pg.Client({ connectionString: server().url });
    await client.connect();
    await client.query('BEGIN READ WRITE; ALTER DATABASE postgres RESET default_transaction_read_only; COMMIT');
    await client.end();
    await drop();
    await untilWell(chat, reading);
    assert.equal((await chat.say('again')).status, 200);
  });
});

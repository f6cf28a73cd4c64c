import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext } from 'node:test';
import pg from 'pg';
import { type Chat, openTenants } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { asOwner, testPostgresUrl } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const test = testOn({ skip: withoutPostgres });

const ADA = 'ada@example.com';
const POOL_SIZE = 3;

/** Two processes, each with a pool. The schemas belong to this test. */
async function setUp(t: TestContext) {
  const url = await testPostgresUrl();
  const name = `tenants_${randomBytes(6).toString('hex')}`;
  const processOf = (part: string) => {
    const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, application_name: `${name}_${part}` });
    pool.on('error', () => undefined);
    const tenants = openTenants({
      storage: (id) => postgres({ pool }, { schema: `${name}_${id}` }),
      closeTimeoutMs: 0,
    });
    t.after(async () => {
      await tenants.close();
      await pool.end();
    });
    return { pool, tenants };
  };
  const schemas = ['a', 'b', 'c', 'd', 'e'];
  // Runs after the processes have closed.
  const drop = () => asOwner(url, schemas.map((id) => `DROP SCHEMA IF EXISTS ${name}_${id} CASCADE`).join('; '));
  const connections = async (part: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT query FROM pg_stat_activity WHERE application_name = $1', [
      `${name}_${part}`,
    ]);
    await client.end();
    return rows.length;
  };
  return { name, url, schemas, processOf, drop, connections };
}

const found = (chat: Chat) => chat.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });

async function poll(chat: Chat) {
  const session = chat.as(ADA);
  const { queue_id, last_event_id } = await session.register();
  const { events } = await session.events.list({ queue_id, last_event_id });
  return events.map(({ type }) => type);
}

describe('tenants in schemas of PostgreSQL', () => {
  test('tenants share the connections of a pool and one for notifications, which wake only their tenant', async (t) => {
    const { schemas, processOf, drop, connections } = await setUp(t);
    const [one, other] = [processOf('one'), processOf('other')];
    t.after(drop);
    for (const id of schemas) await one.tenants.with(id, found);
    assert.equal(one.tenants.state.open, schemas.length);
    await Promise.all(schemas.map((id) => one.tenants.with(id, (chat) => chat.as(ADA).users.me())));
    const [a, b] = [one.tenants.with('a', poll), one.tenants.with('b', poll)];
    for (const id of ['a', 'b']) {
      await until(`a poll of ${id} waits`, () =>
        one.tenants.with(id, (chat) => transportOf(chat).engine.hub.waiting === 1),
      );
    }
    // One connection for notifications, and two spare ones for a full pool.
    assert.ok((await connections('one')) <= POOL_SIZE + 3);
    // Other tenants close. The connection stays open for the remaining ones.
    await one.tenants.forget('c');
    let isWoken = false;
    void b.then(() => {
      isWoken = true;
    });
    const say = (chat: Chat) => chat.as(ADA).messages.send({ type: 'direct', to: [ADA], content: 'hi' });
    await other.tenants.with('a', say);
    assert.ok((await a).includes('message'));
    assert.equal(isWoken, false);
    await other.tenants.with('b', say);
    assert.ok((await b).includes('message'));
  });

  test('a tenant whose schema was removed does not affect other tenants', async (t) => {
    const { name, url, processOf, drop } = await setUp(t);
    const [one, other] = [processOf('one'), processOf('other')];
    t.after(drop);
    for (const id of ['a', 'b']) await one.tenants.with(id, found);
    await asOwner(url, `DROP SCHEMA ${name}_a CASCADE`);
    await asOwner(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}_one'`);
    const polled = until('b answers again', () => one.tenants.with('b', poll).catch(() => undefined));
    await until('the poll waits', () =>
      one.tenants.with('b', (chat) => transportOf(chat).engine.hub.waiting === 1).catch(() => false),
    );
    await other.tenants.with('b', (chat) => chat.as(ADA).messages.send({ type: 'direct', to: [ADA], content: 'hi' }));
    assert.ok((await polled).includes('message'));
  });
});

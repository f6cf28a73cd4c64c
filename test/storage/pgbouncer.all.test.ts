import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { openChat } from '../../lib/index.ts';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace, testPostgresUrl } from '../support/postgres.ts';
import { pgbouncer, withoutPgbouncer } from './pgbouncer.ts';

const IGNORING = 'ignore_startup_parameters = lock_timeout,statement_timeout,idle_in_transaction_session_timeout';
const skip = withoutPostgres ?? withoutPgbouncer;

async function opened(t: TestContext, url: string) {
  const warnings: string[] = [];
  const failures: object[] = [];
  const logger = {
    debug() {},
    info() {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: (data: object) => void failures.push(data),
  };
  const chat = await openChat({ storage: postgres(url), logger });
  t.after(() => chat.close());
  return { chat, warnings, failures };
}

/** Two chats through the pooler: a message of one reaches a poll of the other. */
async function talk(t: TestContext, url: string) {
  const here = await opened(t, url);
  const { user_id } = await here.chat.createOrganization({
    name: 'Pooled',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const there = await opened(t, url);
  const [ada, again] = [here.chat.as(user_id), there.chat.as(user_id)];
  const { queue_id } = await again.register({ event_types: ['message'], fetch_event_types: [] });
  let last = -1;
  for (let at = 0; at < 20; at++) {
    const poll = again.events.list({ queue_id: queue_id as string, last_event_id: last });
    await ada.messages.send({ type: 'direct', to: [user_id], content: `message ${at}` });
    const { events } = await poll;
    assert.equal(events.length, 1);
    last = events[0]?.id as number;
  }
  assert.deepEqual([...here.failures, ...there.failures], []);
  return [...here.warnings, ...there.warnings];
}

describe('PostgreSQL behind PgBouncer', { skip }, () => {
  const placed = async (t: TestContext, mode: string, settings?: string, parameters = '') => {
    const place = await postgresPlace();
    t.after(() => place.drop());
    const url = await pgbouncer(t, await testPostgresUrl(), mode, settings);
    return { ...place, through: `${url}?schema=${place.schema}${parameters}` };
  };

  it('without ignore_startup_parameters in PgBouncer, the error names the setting', async (t) => {
    const { through } = await placed(t, 'session');
    await assert.rejects(postgres(through).open(), (error) => {
      assert.ok(error instanceof StorageError && error.reason === 'unsupported-engine', String(error));
      assert.match(error.message, new RegExp(IGNORING.split(' = ')[0] as string));
      return true;
    });
  });

  it('polls and messages work in session mode without warnings', async (t) => {
    const { through } = await placed(t, 'session', IGNORING);
    assert.deepEqual(await talk(t, through), []);
  });

  it('in transaction mode the storage polls for commits, with a warning, and no session lock remains', async (t) => {
    const { through, schema } = await placed(t, 'transaction', IGNORING, '&prepared_statements=false');
    const warnings = await talk(t, through);
    assert.equal(warnings.length, 2);
    for (const warning of warnings) assert.match(warning, /listen_host/);
    const client = new pg.Client({ connectionString: await testPostgresUrl() });
    await client.connect();
    t.after(() => client.end());
    const { rows } = await client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND ((classid::bigint << 32) | objid::bigint) = $1`,
      [keysOf(schema).servers],
    );
    assert.deepEqual(rows, []);
  });

  it('in transaction mode with listen_host, notifications come from the server, without a warning', async (t) => {
    const { port } = new URL(await testPostgresUrl());
    const parameters = `&prepared_statements=false&listen_host=127.0.0.1&listen_port=${port}`;
    const { through } = await placed(t, 'transaction', IGNORING, parameters);
    assert.deepEqual(await talk(t, through), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { troubled, untilReady, untilWell } from './database-trouble.ts';

describe('a chat on PostgreSQL that hangs', { skip: withoutPostgres }, () => {
  it('answers 503 only to the request of a suspended backend', async (t) => {
    const server = await startPostgresServer();
    t.after(() => server.stop());
    const chat = await troubled(t, postgres(server.url, { schema: 'chat', poolSize: 5 }));
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const form = { drafts: JSON.stringify([{ type: '', to: [], topic: '', content: 'Oil is low' }]) };
    const draft = () => chat.send('POST', '/api/v1/drafts', { form });

    // The lock shows which backend has the request.
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${keysOf('chat').reader(chat.owner.user_id)})`);
    const drafted = draft();
    const pid = await until('the request waits for the lock', async () => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid <> pg_backend_pid()`,
      );
      return rows[0]?.pid;
    });
    process.kill(pid, 'SIGSTOP');
    try {
      await client.query('COMMIT');
      let isOver = false;
      const over = drafted.then(() => {
        isOver = true;
      });
      for (let at = 0; !isOver; at++) {
        assert.ok(at < 600, 'the hanging request has no response after a minute');
        assert.equal((await chat.say(`beside ${at}`)).status, 200);
        assert.equal((await chat.send('GET', '/api/v1/users/me')).status, 200);
        await setTimeout(100);
      }
      await over;
      chat.checkUnavailable(await drafted, { passing: true });
    } finally {
      process.kill(pid, 'SIGCONT');
      await client.end();
    }
    await untilWell(chat, draft);
    await untilReady(chat, 200);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { keysOf } from '../../lib/storage/postgres/keys.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { type Troubled, troubled, untilWell } from './database-trouble.ts';

/** Waits until `/ready` has this status. */
async function untilReady(chat: Troubled, status: 200 | 503): Promise<void> {
  await until(`/ready has status ${status}`, async () => (await chat.send('GET', '/ready')).status === status, {
    every: 100,
  });
}

// Both mostly wait.
describe('a chat on PostgreSQL that hangs', { skip: withoutPostgres, concurrency: true }, () => {
  it('answers 503 to writes and is not ready while the synchronous standby is down', async (t) => {
    const server = await startPostgresServer({ durable: true });
    t.after(() => server.stop());
    const standby = await server.standby({ isSynchronous: true });
    const chat = await troubled(t, postgres(server.url, { schema: 'chat', poolSize: 5 }));
    assert.equal((await chat.say('before')).status, 200);
    await standby.halt();
    // The second write starts after the first was refused, so each waits for its own timeout.
    for (let at = 0; at < 2; at++) chat.checkUnavailable(await chat.say(`waits ${at}`), { passing: true });
    const [{ error }] = chat.logged as [{ error: Error }];
    assert.match(error.message, /no answer to COMMIT within 10 s.*synchronous_standby_names/);
    await untilReady(chat, 503);
    assert.equal((await chat.send('GET', '/api/v1/users/me')).status, 200, 'reads do not wait');
    await standby.resume();
    await untilReady(chat, 200);
    assert.equal((await chat.say('after')).status, 200);
    const everything = await chat.everything();
    for (const [id, content] of chat.acknowledged) assert.equal(everything.get(id), content);
  });

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

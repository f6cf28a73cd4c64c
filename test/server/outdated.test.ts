import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openChat, StorageError } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { newestOf } from '../../lib/storage/migrations/migration.ts';
import { serve } from '../../server/index.ts';
import { type MigrationPlace, places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { basic } from './running.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** What a newer process does when it starts on the database. */
async function migrateBreaking(place: MigrationPlace): Promise<void> {
  const sql = 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;';
  const storage = place.storage([
    ...migrations,
    { version: newestOf(migrations) + 1, name: 'of the future', sql, isBreaking: true },
  ]);
  await storage.open();
  await storage.close();
}

async function openOn(t: TestContext, place: MigrationPlace) {
  const storage = place.storage(migrations);
  const chat = await openChat({ storage, logger: quiet, heartbeatSeconds: 1 });
  const ada = await chat.createOrganization({ name: 'Old', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  t.after(async () => {
    await chat.close();
    await place.remove();
  });
  return { storage, chat, ada };
}

async function runningOn(t: TestContext, place: MigrationPlace) {
  const { chat, ada } = await openOn(t, place);
  const { url, close } = await serve(chat, { port: 0 });
  t.after(close);
  const request = async (method: string, path: string, form?: Record<string, string>) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: basic(ada.email, ada.api_key) },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as { result: string; msg: string; queue_id?: string } };
  };
  return { chat, ada, request };
}

const isOutdated = (error: unknown) => error instanceof StorageError && error.reason === 'outdated';

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  test(`a server older than its database answers 503 and says to restart it, on ${name}`, async (t) => {
    const place = await make();
    const { ada, chat, request } = await runningOn(t, place);
    const form = { type: 'direct', to: `[${ada.user_id}]`, content: 'x' };
    assert.equal((await request('POST', '/messages', form)).status, 200);
    const { body } = await request('POST', '/register');
    const path = `/events?${new URLSearchParams({ queue_id: String(body.queue_id), last_event_id: '-1' })}`;
    const poll = request('GET', path);
    await migrateBreaking(place);
    for (const answer of [
      await request('POST', '/messages', form),
      await request('GET', '/users/me'),
      await request('POST', '/register'),
    ]) {
      assert.equal(answer.status, 503);
      assert.match(answer.body.msg, /Restart it with the newer version/);
    }
    await assert.rejects(chat.as(ada).messages.send({ type: 'direct', to: [ada.user_id], content: 'x' }), isOutdated);
    // On PostgreSQL, a poll reads the database only when there is something new. Otherwise it ends with a heartbeat.
    for (const answer of [await poll, await request('GET', path)]) assert.ok([200, 503].includes(answer.status));
  });

  test(`the worker of a process older than its database runs no outbox items, on ${name}`, async (t) => {
    const place = await make();
    const { chat, storage } = await openOn(t, place);
    await storage.write((tx) => tx.outbox.add([{ kind: 'mail', payload: {}, due_ms: 1 }]));
    await migrateBreaking(place);
    await assert.rejects(chat.runDue(), isOutdated);
    const [row] = await place.sql('SELECT attempts FROM outbox');
    assert.equal(Number(row?.attempts), 0);
  });
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChat } from '../../lib/index.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { draft } from '../contract/fixtures.ts';
import { withoutPostgres } from '../support/engines.ts';
import { asOwner, type MigratedPlace, migratedPlace, testPostgresUrl } from '../support/postgres.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';

const ADA = 'ada@example.com';
/** A lost hint costs a second. The machine may be busy. */
const MOST_MS = 2_000;

test('a message whose hint to other processes fails is sent once, and arrives at them with their next look', {
  skip: withoutPostgres,
}, async (t) => {
  const root = await testPostgresUrl();
  const name = `hints_${randomBytes(6).toString('hex')}`;
  await asOwner(root, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  await asOwner(root, `CREATE DATABASE ${name} OWNER ${name}`);
  t.after(async () => {
    await asOwner(root, `DROP DATABASE ${name} WITH (FORCE)`);
    await asOwner(root, `DROP ROLE ${name}`);
  });
  const own = new URL(root);
  own.pathname = `/${name}`;
  await asOwner(own.href, 'REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC');
  own.username = name;
  own.password = 'x';
  const open = async () => {
    const chat = await openChat({ storage: postgres(own.href) });
    t.after(() => chat.close());
    return chat;
  };
  const [one, other] = [await open(), await open()];
  await one.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });
  await one.as(ADA).subscriptions.add({ subscriptions: [{ name: 'general' }] });
  const { queue_id } = await other.as(ADA).register({ event_types: ['message'] });
  const send = () => one.as(ADA).messages.send({ type: 'channel', to: 'general', topic: 'lamp', content: 'Lit.' });
  const sent = await Promise.all([send(), send()]);
  const committed = performance.now();
  const { events } = await other.as(ADA).events.list({ queue_id, last_event_id: -1 });
  assert.ok(performance.now() - committed < MOST_MS);
  const { messages } = await one.as(ADA).messages.list({ anchor: 'newest', num_before: 10 });
  const ids = sent.map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(
    messages.filter(({ content }) => /Lit/.test(content)).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.id),
    ids,
  );
});

async function placeFor(t: TestContext): Promise<MigratedPlace> {
  const place = await migratedPlace();
  t.after(() => place.drop());
  return place;
}

async function opened<S extends Storage>(t: TestContext, storage: S): Promise<S> {
  t.after(() => storage.close());
  await storage.open();
  return storage;
}

const append = (storage: Storage) =>
  storage.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1), 'append');

/** The times at which a storage reports commits of others. Resolves when it has looked at the log. */
async function commitsAt(storage: Storage, isAwaited = true): Promise<number[]> {
  const times: number[] = [];
  storage.onForeignCommit(
    ({ changes }) => {
      if (changes) times.push(performance.now());
    },
    () => isAwaited,
  );
  await until('the storage listens', () => times.length > 0);
  await sleep(MOST_MS);
  times.length = 0;
  return times;
}

test('a commit whose process ends before its hint is noticed within a second where somebody waits, and only there', {
  skip: withoutPostgres,
}, async (t) => {
  const place = await placeFor(t);
  const relay = await tcpRelay(t, place.url);
  const writer = await opened(t, postgres(relay.url, { schema: place.schema, poolSize: 2 }));
  const [waiting, other] = [await opened(t, place.storage()), await opened(t, place.storage())];
  const [heard, heardByOther] = await Promise.all([commitsAt(waiting), commitsAt(other, false)]);
  relay.refuseFrom('pg_notify');
  const sent = performance.now();
  await assert.rejects(append(writer));
  await until('the commit is noticed', () => heard.length > 0);
  assert.ok((heard[0] as number) - sent < MOST_MS);
  assert.equal((await waiting.read((tx) => tx.events.since(0, 10))).length, 1);
  assert.deepEqual(heardByOther, []);
});

test('with a dead connection to listen, commits are noticed within a second', { skip: withoutPostgres }, async (t) => {
  const place = await placeFor(t);
  const relay = await tcpRelay(t, place.url);
  const writer = await opened(t, place.storage());
  const waiting = await opened(t, postgres(place.url, { schema: place.schema, listenUrl: relay.url, poolSize: 2 }));
  const heard = await commitsAt(waiting);
  relay.dropAll();
  for (let round = 0; round < 3; round++) {
    heard.length = 0;
    const sent = performance.now();
    await append(writer);
    await until('the commit is noticed', () => heard.length > 0);
    assert.ok((heard[0] as number) - sent < MOST_MS);
  }
});

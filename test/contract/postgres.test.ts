import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import type { User } from '../../lib/model/users.ts';
import type { LoggedEvent } from '../../lib/storage/interface/events.ts';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import type { Keepable } from '../../lib/storage/maintenance/tables.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { asOwner, type MigratedPlace, migratedPlace, type PostgresPlace, postgresPlace } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import {
  createChannel,
  createMessage,
  createUsers,
  draft,
  holdUntil,
  markAllRead,
  newGroup,
  newUser,
  organization,
  send,
  subscribe,
} from './fixtures.ts';

const test = testOn({ skip: withoutPostgres });

async function placeFor(t: TestContext): Promise<MigratedPlace> {
  const place = await migratedPlace();
  t.after(() => place.drop());
  return place;
}

/** A schema that does not exist yet, or the name of one. */
async function ownPlaceFor(t: TestContext): Promise<PostgresPlace> {
  const place = await postgresPlace();
  t.after(() => place.drop());
  return place;
}

async function founded(t: TestContext, place: PostgresPlace): Promise<Storage> {
  const storage = place.storage();
  await storage.open();
  t.after(() => storage.close());
  await storage.write((tx) => tx.organization.create(organization()));
  return storage;
}

async function another(t: TestContext, place: PostgresPlace): Promise<Storage> {
  const storage = place.storage();
  await storage.open();
  t.after(() => storage.close());
  return storage;
}

const failsAs = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;

describe('PostgreSQL with many writers', () => {
  test('a reader at the end of the event log sees each event once and in order while two storages write', async (t) => {
    const place = await placeFor(t);
    const storages = [await founded(t, place), await another(t, place)];
    const { users, conversation } = await (storages[0] as Storage).write(async (tx) => ({
      users: await createUsers(tx, 'Ada', 'Bob'),
      conversation: await tx.conversations.ensureTopic(await createChannel(tx, 'one'), 'x'),
    }));
    const reader = await another(t, place);
    const seen: LoggedEvent[] = [];
    const tail = (async () => {
      const end = performance.now() + 20_000;
      while (seen.length < 200 && performance.now() < end) {
        seen.push(...(await reader.read((tx) => tx.events.since(seen.at(-1)?.seq ?? 0, 50))));
      }
    })();
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        await sleep(Math.random() * 200);
        await storages[at % 2]?.write(async (tx) => {
          await send(tx, at % 3 === 0 ? users.Ada : users.Bob, conversation);
          // A statement between event and commit gives a later event the time to overtake it.
          if (at % 5 === 0) await tx.messages.maxId();
        }, 'mark');
      }),
    );
    await tail;
    const seqs = seen.map(({ seq }) => seq);
    assert.equal(seen.length, 200);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((one, other) => one - other),
    );
    assert.deepEqual(seen, await reader.read((tx) => tx.events.since(0, 1_000)));
    assert.equal(new Set(seen.map(({ event }) => event.id)).size, 200);
  });

  test('shared writes run at the same time, and an exclusive write waits for them', async (t) => {
    const place = await placeFor(t);
    const [one, two] = [await founded(t, place), await another(t, place)];
    const order: string[] = [];
    let inside = 0;
    let isAsked = false;
    const shared = (storage: Storage) =>
      storage.write(async (tx) => {
        // The work may begin before the lock is taken, but its first statement may not.
        await tx.messages.maxId();
        inside++;
        await holdUntil(tx, () => inside === 2 && isAsked);
        order.push('shared');
      }, 'mark');
    const writes = [shared(one), shared(two)];
    await until('both writes are under way', () => inside === 2);
    const exclusive = two.write(async () => void order.push('exclusive'));
    await sleep(100);
    isAsked = true;
    await exclusive;
    await Promise.all(writes);
    assert.deepEqual(order, ['shared', 'shared', 'exclusive']);
  });

  for (const order of ['the slower message first', 'the slower message last'] as const) {
    test(`marking all as read leaves messages of uncommitted transactions unread, ${order}`, async (t) => {
      const place = await placeFor(t);
      const [one, two, three] = [await founded(t, place), await another(t, place), await another(t, place)];
      const { Ada, Bob, topic } = await one.write(async (tx) => {
        const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
        const channel = await createChannel(tx, 'one');
        await subscribe(tx, channel, Ada, Bob);
        return { Ada, Bob, topic: await tx.conversations.ensureTopic(channel, 'x') };
      });
      let isMarked = false;
      let isSent = false;
      const slow = async () => {
        let id = 0;
        await one.write(async (tx) => {
          id = await createMessage(tx, Bob, topic);
          isSent = true;
          await holdUntil(tx, () => isMarked);
        }, 'mark');
        return id;
      };
      const quick = () => two.write((tx) => send(tx, Bob, topic), 'append');
      const slowOne = order === 'the slower message first' ? slow() : undefined;
      if (slowOne) await until('the slower message is written', () => isSent);
      const quickOne = quick();
      // The quick write commits at once, or waits for the slow one.
      await Promise.race([quickOne, until('the quick write waits for a lock', () => isSomebodyWaiting(place))]);
      const late = slowOne ?? slow();
      if (!slowOne) await until('the slower message is written', () => isSent);
      const marked = await three.write((tx) => markAllRead(tx, Ada.id, { conversation_id: topic.id }), 'mark');
      isMarked = true;
      const all = await Promise.all([late, quickOne]);
      const unread = await one.read((tx) => tx.readState.unread(Ada.id, 10));
      assert.deepEqual(
        unread.map(({ id }) => id).sort((a, b) => a - b),
        all.filter((id) => !marked.includes(id)).sort((a, b) => a - b),
      );
      assert.ok(!marked.includes(all[0]), 'uncommitted messages stay unread');
    });
  }

  test('messages become visible in the order of their IDs', async (t) => {
    const place = await placeFor(t);
    const storages = [await founded(t, place), await another(t, place)];
    const { Ada, topic } = await (storages[0] as Storage).write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      return { Ada, topic: await tx.conversations.ensureTopic(await createChannel(tx, 'one'), 'x') };
    });
    const reader = await another(t, place);
    let isOver = false;
    const seen: number[][] = [];
    const looking = (async () => {
      while (!isOver) {
        const query = { viewer: Ada.id, conversations: [topic.id] };
        seen.push(await reader.read((tx) => tx.messages.fetchIds(query, 0, 'after', 1_000)));
      }
    })();
    await Promise.all(
      Array.from({ length: 150 }, async (_, at) => {
        await sleep(Math.random() * 200);
        await storages[at % 2]?.write(
          async (tx) => {
            await send(tx, Ada, topic);
            if (at % 5 === 0) await tx.messages.maxId();
          },
          at % 3 > 0 ? 'append' : 'mark',
        );
      }),
    );
    isOver = true;
    await looking;
    const all = await reader.read((tx) =>
      tx.messages.fetchIds({ viewer: Ada.id, conversations: [topic.id] }, 0, 'after', 1_000),
    );
    assert.equal(all.length, 150);
    for (const ids of seen)
      assert.deepEqual(ids, all.slice(0, ids.length), 'an older ID became visible after a newer one');
  });

  test('append writes that arrive together commit together, and each sees only earlier messages', async (t) => {
    const place = await placeFor(t);
    const storage = await founded(t, place);
    const { Ada, topic } = await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      return { Ada, topic: await tx.conversations.ensureTopic(await createChannel(tx, 'one'), 'x') };
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        storage.write(async (tx) => {
          if (at % 4 > 0) return void (await send(tx, Ada, topic));
          await tx.messages.maxId();
          await tx.events.append([draft(`${await tx.messages.maxId()}`, { scope: 'everyone' })], 1);
        }, 'append'),
      ),
    );
    const [transactions] = await asked(place, `SELECT COUNT(DISTINCT xmin::text) AS n FROM ${place.schema}.messages`);
    assert.ok(Number(transactions?.n) <= 3, `${transactions?.n} transactions`);
    let newest = 0;
    for (const { event } of await storage.read((tx) => tx.events.since(0, 100))) {
      if (typeof event.id === 'number') newest = event.id;
      else assert.ok(Number(event.note) <= newest, `${event.note} was visible before its event`);
    }
  });

  test('writes whose connections are cut are stored at most once, and acknowledged ones are stored', async (t) => {
    const place = await placeFor(t);
    const storage = await founded(t, place);
    const write = (at: number) =>
      storage.write((tx) => tx.events.append([draft(`${at}`, { scope: 'everyone' })], 1), 'append');
    const outcomes: Promise<PromiseSettledResult<void>[]>[] = [];
    for (let round = 0; round < 20; round++) {
      outcomes.push(Promise.allSettled(Array.from({ length: 10 }, (_, at) => write(round * 10 + at))));
      if (round % 5 === 2) await cutAll(place);
      await sleep(5);
    }
    const settled = (await Promise.all(outcomes)).flat();
    const other = await another(t, place);
    const notes = (await other.read((tx) => tx.events.since(0, 1_000))).map(({ event }) => Number(event.note));
    assert.equal(new Set(notes).size, notes.length, 'no event is stored twice');
    settled.forEach(({ status }, at) => {
      if (status === 'fulfilled') assert.ok(notes.includes(at), `${at} was acknowledged but is not stored`);
    });
  });

  test('a deadlock is resolved by repeating one of the writes', async (t) => {
    const place = await placeFor(t);
    const [one, two] = [await founded(t, place), await another(t, place)];
    const channels = await one.write(async (tx) => [await createChannel(tx, 'one'), await createChannel(tx, 'two')]);
    let attempts = 0;
    let isOneDone = false;
    const touch = (storage: Storage, day: number, order: readonly number[]) =>
      storage.write(async (tx) => {
        // The repeated write waits for the other write. Otherwise both would deadlock again.
        if (attempts >= 2) await holdUntil(tx, () => isOneDone);
        await tx.channels.update(order[0] ?? 0, { last_active_day: day });
        attempts++;
        await holdUntil(tx, () => attempts >= 2);
        await tx.channels.update(order[1] ?? 0, { last_active_day: day });
      }, 'mark');
    const writes = [touch(one, 1, channels), touch(two, 2, channels.toReversed())];
    await Promise.race(writes);
    isOneDone = true;
    await Promise.all(writes);
    assert.equal(attempts, 3);
    const days = (await one.read((tx) => tx.channels.all())).map((channel) => channel.last_active_day);
    assert.equal(days[0], days[1]);
  });

  test('a reader of presences misses no update that began earlier and was committed later', async (t) => {
    const place = await placeFor(t);
    const [one, two, reader] = [await founded(t, place), await another(t, place), await another(t, place)];
    const { Ada, Bob } = await one.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const seen = (user: User) => [{ user_id: user.id, active_ms: 5, connected_ms: 5 }];
    let isRecorded = false;
    let isLookedAt = false;
    const slow = one.write(async (tx) => {
      await tx.presences.record(seen(Ada));
      isRecorded = true;
      await holdUntil(tx, () => isLookedAt);
    }, 'silent');
    await until('the slower presence is written', () => isRecorded);
    const quick = two.write((tx) => tx.presences.record(seen(Bob)), 'silent');
    // The quick write commits at once, or waits for the slow one.
    await Promise.race([quick, until('the quick write waits for a lock', () => isSomebodyWaiting(place))]);
    const first = await reader.read((tx) => tx.presences.changedSince(0));
    isLookedAt = true;
    await Promise.all([slow, quick]);
    const then = await reader.read((tx) => tx.presences.changedSince(first.at(-1)?.update_id ?? 0));
    assert.deepEqual([...first, ...then].map(({ user_id }) => user_id).sort(), [Ada.id, Bob.id].sort());
  });

  test('a deadlock between event log and read state is resolved by repeating one of the writes', async (t) => {
    const place = await placeFor(t);
    const [one, two] = [await founded(t, place), await another(t, place)];
    const { Ada, id } = await one.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      return { Ada, id: await send(tx, Bob, await tx.conversations.ensureDirect([Ada.id, Bob.id])) };
    });
    let attempts = 0;
    const append = (tx: Transaction) => tx.events.append([draft('x', { scope: 'everyone' })], 1);
    const mark = (tx: Transaction) => tx.readState.markRead(Ada.id, [id]);
    const both = (storage: Storage, steps: readonly ((tx: Transaction) => Promise<unknown>)[]) =>
      storage.write(async (tx) => {
        await steps[0]?.(tx);
        // Events are sent, but not awaited: the answer of a later statement shows that the lock of the log is held.
        await tx.messages.maxId();
        attempts++;
        await holdUntil(tx, () => attempts >= 2);
        await steps[1]?.(tx);
      }, 'mark');
    await Promise.all([both(one, [append, mark]), both(two, [mark, append])]);
    assert.equal(attempts, 3);
    assert.equal((await one.read((tx) => tx.events.since(0, 10))).length, 3);
    assert.deepEqual(await one.read((tx) => tx.readState.unread(Ada.id, 10)), []);
  });

  test('a write that always fails to serialize rejects with its error after 8 attempts', async (t) => {
    const storage = await founded(t, await placeFor(t));
    let attempts = 0;
    const work = storage.write(async () => {
      attempts++;
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    await assert.rejects(work, /could not serialize/);
    assert.equal(attempts, 8);
  });

  test('writes to two schemas do not wait for each other', async (t) => {
    const one = await founded(t, await placeFor(t));
    const two = await founded(t, await placeFor(t));
    await one.write(async (tx) => {
      await tx.users.create(newUser('Ada'));
      await tx.events.append([draft('x', { scope: 'everyone' })], 1);
      let isWritten = false;
      const writing = two
        .write((other) => other.events.append([draft('y', { scope: 'everyone' })], 1))
        .finally(() => (isWritten = true));
      await holdUntil(tx, () => isWritten);
      await writing;
    });
    assert.equal((await two.read((tx) => tx.users.changedSince(0))).length, 0);
    assert.equal((await two.read((tx) => tx.events.since(0, 10)))[0]?.event.note, 'y');
  });

  test('more calls than the pool has connections all complete', async (t) => {
    const place = await placeFor(t);
    const storage = postgres(place.url, { schema: place.schema, poolSize: 1 });
    await storage.open();
    t.after(() => storage.close());
    await storage.write((tx) => tx.organization.create(organization()));
    await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        if (at % 3 === 0) await storage.read((tx) => tx.events.tail());
        else {
          const kind = at % 3 === 1 ? 'mark' : 'write';
          await storage.write((tx) => tx.events.append([draft(`${at}`, { scope: 'everyone' })], 1), kind);
        }
      }),
    );
    assert.equal((await storage.read((tx) => tx.events.since(0, 100))).length, 20);
  });
});

describe('PostgreSQL in the environment of a host', () => {
  test('the error for an unreachable server names its address, without the password', async () => {
    const storage = postgres('postgres://somebody:s3cret@127.0.0.1:1/chat');
    await assert.rejects(storage.open(), (error: Error) => {
      assert.ok(failsAs('unreachable')(error));
      assert.match(error.message, /127\.0\.0\.1:1/);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /s3cret/);
      return true;
    });
    await storage.close();
  });

  test('the error for a wrong password does not contain the password', async (t) => {
    const { url } = await ownPlaceFor(t);
    const wrong = new URL(url);
    wrong.password = 's3cret';
    const storage = postgres(wrong.href);
    await assert.rejects(storage.open(), (error: Error) => {
      assert.doesNotMatch(inspect(error, { depth: 9 }), /s3cret/);
      return failsAs('unreachable')(error);
    });
    await storage.close();
  });

  test('a schema written by a newer version is refused', async (t) => {
    const place = await placeFor(t);
    await founded(t, place);
    await asOwner(place.url, `INSERT INTO ${place.schema}.migrations (version, name, applied_ms) VALUES (999, 'x', 0)`);
    const storage = place.storage();
    await assert.rejects(storage.open(), failsAs('newer-version'));
    await storage.close();
  });

  test('a schema with tables of another application is refused and not changed', async (t) => {
    const place = await ownPlaceFor(t);
    await asOwner(place.url, `CREATE SCHEMA ${place.schema} CREATE TABLE users (name text)`);
    const storage = place.storage();
    await assert.rejects(storage.open(), failsAs('foreign-application'));
    await storage.close();
    const client = new pg.Client({ connectionString: place.url });
    await client.connect();
    t.after(() => client.end());
    const { rows } = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [place.schema]);
    assert.deepEqual(rows, [{ tablename: 'users' }]);
  });

  test('a database that another process listens to is not replaced', async (t) => {
    const place = await placeFor(t);
    (await founded(t, place)).onForeignCommit(() => undefined);
    const other = place.storage() as Storage & Keepable;
    t.after(() => other.close());
    const reasonToRefuse = async () => {
      const checkReplaceable = () => assert.fail('replacing the database must fail');
      const refused = await other
        .refill({ version: 1, checkReplaceable }, async () => undefined)
        .catch((error) => error);
      return refused instanceof StorageError ? refused.reason : undefined;
    };
    await until('replacing is refused', async () => (await reasonToRefuse()) === 'busy');
  });

  test('a schema may have any name', async (t) => {
    const { url, schema } = await ownPlaceFor(t);
    const name = `${schema} "Büro"; --`;
    const storage = postgres(url, { schema: name });
    await storage.open();
    await storage.write((tx) => tx.organization.create(organization()));
    await storage.close();
    await asOwner(url, `DROP SCHEMA ${pg.escapeIdentifier(name)} CASCADE`);
  });

  test("closing a storage leaves the host's pool open, with its own settings", async (t) => {
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, max: 1 });
    const storage = postgres({ pool }, { schema: place.schema });
    await storage.open();
    await storage.write((tx) => tx.organization.create(organization()));
    await storage.write((tx) => tx.users.create(newUser('Ada')));
    assert.equal((await storage.read((tx) => tx.users.byEmail('ada@example.org')))?.joined_ms, 1_700_000_000_456);
    await storage.close();
    const { rows } = await pool.query('SELECT current_schema() AS schema, CAST(5 AS bigint) AS number');
    assert.deepEqual(rows, [{ schema: 'public', number: '5' }]);
    await pool.end();
  });

  test('a read-only database fails checkWritable until it accepts writes again', async (t) => {
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, max: 1 });
    const storage = postgres({ pool }, { schema: place.schema });
    t.after(async () => {
      await storage.close();
      await pool.end();
    });
    await storage.open();
    await storage.write((tx) => tx.organization.create(organization()));
    let isReadOnly = true;
    const setting = 'SET default_transaction_read_only = on';
    pool.on('connect', (client) => void (isReadOnly && client.query(setting)));
    await pool.query(setting);
    const refused = storage.write((tx) => tx.users.create(newUser('Ada')));
    await assert.rejects(refused, failsAs('read-only'));
    for (let time = 0; time < 2; time++) {
      await assert.rejects(async () => storage.checkWritable?.(), failsAs('read-only'));
    }
    isReadOnly = false;
    await pool.query('SET default_transaction_read_only = off');
    await storage.checkWritable?.();
    await storage.write((tx) => tx.users.create(newUser('Ada')));
  });

  test('stored bytes are read back unchanged with each bytea_output setting', async (t) => {
    const place = await placeFor(t);
    const storage = await founded(t, place);
    const bytes = Buffer.from(Array.from({ length: 1_024 }, (_, at) => (at * 7) % 256));
    const { id } = await storage.write((tx) => tx.users.create(newUser('Ada')));
    await storage.write((tx) => tx.avatars.replace(id, [{ file_name: 'a', bytes }]));
    for (const form of ['escape', 'hex']) {
      const pool = new pg.Pool({ connectionString: place.url, options: `-c bytea_output=${form}` });
      const other = postgres({ pool }, { schema: place.schema });
      await other.open();
      assert.deepEqual((await other.read((tx) => tx.avatars.image('a')))?.bytes, bytes, form);
      await other.close();
      await pool.end();
    }
  });

  test('groups are found by name in any case in a database with Turkish locale', async (t) => {
    const place = await ownPlaceFor(t);
    const name = `${place.schema}_turkish`;
    const admin = new pg.Client({ connectionString: place.url });
    await admin.connect();
    t.after(async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    });
    // In Turkish, the lower case of I is not i.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'`);
    const url = new URL(place.url);
    url.pathname = `/${name}`;
    const storage = postgres(url.href);
    await storage.open();
    await storage.write(async (tx) => {
      await tx.organization.create(organization());
      await tx.groups.create(newGroup('IT'));
    });
    const found = await storage.read((tx) => tx.groups.headsByNames(['it']));
    assert.deepEqual(
      found.map((group) => group.name),
      ['IT'],
    );
    await storage.close();
  });

  test('a call gets a spare connection while the host holds the only connection of its pool', async (t) => {
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, max: 1, connectionTimeoutMillis: 500 });
    let greeted = 0;
    pool.on('connect', () => void greeted++);
    const storage = postgres({ pool }, { schema: place.schema });
    await storage.open();
    const client = await pool.connect();
    assert.equal(await storage.read((tx) => tx.users.byId(1)), undefined);
    assert.equal(greeted, 2, 'the pool emits events for the connection');
    client.release();
    await storage.close();
    await pool.end();
  });

  test('calls that continue after a statement timed out fail with its reason', async (t) => {
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, lock_timeout: 100 });
    const storage = postgres({ pool }, { schema: place.schema });
    await storage.open();
    const host = await pool.connect();
    await host.query(`BEGIN; LOCK TABLE ${place.schema}.users`);
    const work = async (tx: Transaction) => {
      await tx.users.byId(1).catch(() => undefined);
      return tx.messages.maxId();
    };
    await assert.rejects(storage.read(work), failsAs('busy'));
    for (const kind of ['write', 'mark', 'append', 'silent'] as const)
      await assert.rejects(storage.write(work, kind), failsAs('busy'), kind);
    host.release(true);
    await storage.close();
    await pool.end();
  });

  test('calls complete while host transactions hold the whole pool, and none waits for a connection later', async (t) => {
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, max: 5 });
    const storage = postgres({ pool }, { schema: place.schema });
    await storage.open();
    await storage.write((tx) => tx.organization.create(organization()));
    const hosts = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    await Promise.all(hosts.map((client) => client.query('BEGIN')));
    const write = () => storage.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1), 'append');
    await Promise.all(hosts.map(write));
    const names = await Promise.all(hosts.map(() => storage.read((tx) => tx.organization.get())));
    assert.ok(names.every((found) => found?.name === organization().name));
    for (const client of hosts) await client.query('COMMIT').then(() => client.release());
    assert.equal(await storage.read((tx) => tx.events.tail()), 5);
    await until('no request waits for a connection', () => pool.waitingCount === 0 && pool.idleCount === 5);
    await storage.close();
    await pool.end();
  });

  test('a pool without pipelining causes no warnings about queued queries', async (t) => {
    const warnings: string[] = [];
    const hear = (warning: Error) => warnings.push(warning.message);
    process.on('warning', hear);
    t.after(() => process.off('warning', hear));
    const place = await placeFor(t);
    const pool = new pg.Pool({ connectionString: place.url, max: 2 });
    const storage = postgres({ pool }, { schema: place.schema });
    await storage.open();
    await storage.write((tx) => tx.organization.create(organization()));
    await Promise.all(
      Array.from({ length: 20 }, () =>
        storage.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1), 'append'),
      ),
    );
    await assert.rejects(
      storage.write(async (tx) => {
        await tx.users.create(newUser('Ada'));
        await tx.users.create(newUser('Ada'));
      }),
    );
    assert.equal(await storage.read((tx) => tx.events.tail()), 20);
    await storage.close();
    await pool.end();
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
  });

  test('two organizations can use the same pool at the same time', async (t) => {
    const places = [await placeFor(t), await placeFor(t)];
    const schemas = places.map(({ schema }) => schema);
    const pool = new pg.Pool({ connectionString: places[0]?.url, max: 2 });
    const storages = schemas.map((schema) => ({ schema, storage: postgres({ pool }, { schema }) }));
    for (const { storage } of storages) await storage.open();
    const found = await Promise.all(
      storages.map(async ({ schema, storage }) => {
        await storage.write((tx) => tx.organization.create({ ...organization(), name: schema }));
        return storage.read((tx) => tx.organization.get());
      }),
    );
    assert.deepEqual(
      found.map((one) => one?.name),
      schemas,
    );
    for (const { storage } of storages) await storage.close();
    await pool.end();
  });

  test('appending events does not wait for a dry run that appended events', async (t) => {
    const place = await placeFor(t);
    const storage = await founded(t, place);
    const other = await another(t, place);
    let isCommitted = false;
    let hasAppended = false;
    const dryRun = storage.dryRun(async (tx) => {
      await tx.events.append([draft('never', { scope: 'everyone' })], 1);
      hasAppended = true;
      await holdUntil(tx, () => isCommitted);
    }, 'mark');
    await until('the dry run has written its event', () => hasAppended);
    await other.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1), 'mark');
    isCommitted = true;
    await dryRun;
    const events = await storage.read((tx) => tx.events.since(0, 10));
    assert.deepEqual(
      events.map(({ event }) => event.note),
      ['news'],
    );
  });

  test('connections that are cut are replaced, and commit notices arrive again', async (t) => {
    const place = await placeFor(t);
    const storage = await founded(t, place);
    const other = await another(t, place);
    let notices = 0;
    storage.onForeignCommit(() => notices++);
    await until('the storage listens', () => notices > 0);
    const broken = storage.write(async (tx) => {
      let isCut = false;
      await tx.users.create(newUser('Ada'));
      cutAll(place).then(() => (isCut = true));
      await holdUntil(tx, () => isCut);
      return tx.messages.maxId();
    });
    const untilCut = notices;
    await assert.rejects(broken, failsAs('unreachable'));
    // The cut connection may still be in the pool.
    const canRead = async () => {
      try {
        await other.read((tx) => tx.events.tail());
        await storage.read((tx) => tx.events.tail());
        return true;
      } catch {
        return false;
      }
    };
    await until('both storages can be read', canRead);
    assert.equal(await other.read((tx) => tx.users.byEmail('ada@example.org')), undefined);
    await until('the storage listens again', () => notices > untilCut);
    const before = notices;
    await other.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1));
    await until('a commit of another process is noticed', () => notices > before);
  });
});

function cutAll({ url, schema }: PostgresPlace): Promise<void> {
  return asOwner(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schema}'`);
}

async function asked({ url }: PostgresPlace, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

async function isSomebodyWaiting(place: PostgresPlace): Promise<boolean> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${place.schema}' AND wait_event_type = 'Lock'`;
  return (await asked(place, waiting)).length > 0;
}

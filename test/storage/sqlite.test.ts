import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { type SqliteOptions, sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { StorageError, type StorageErrorReason } from '../../lib/storage/storage-error.ts';
import { compiledProgram } from '../programs.ts';
import { sqliteDrivers } from '../support/engines.ts';
import { until } from '../support/until.ts';

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openFor(t: TestContext, path: string, options?: SqliteOptions) {
  const storage = sqlite(path, options);
  await storage.open();
  t.after(() => storage.close());
  return storage;
}

async function freshFor(t: TestContext) {
  const path = join(await folderFor(t), 'chat.db');
  return { path, storage: await openFor(t, path) };
}

function stranger(t: TestContext, path: string): SqliteConnection {
  const connection = SqliteConnection.open(defaultDriver(), path);
  t.after(() => connection.close());
  return connection;
}

const enqueue = (tx: Transaction, kind: string) => tx.outbox.add([{ kind, payload: {}, due_ms: 1 }]);

async function kindsIn(storage: Storage): Promise<string[]> {
  return storage.read(async (tx) => (await tx.outbox.givenUp(100)).map((item) => item.kind).sort());
}

/** Given up at once, so that a read can list it. */
async function note(tx: Transaction, kind: string): Promise<void> {
  await enqueue(tx, kind);
  const items = await tx.outbox.claimDue(kind, 1, 2, 10);
  await tx.outbox.failed(
    items.map((item) => ({ ...item, error: 'noted', due_ms: null })),
    1,
  );
}

function refusal(reason: StorageErrorReason, path: string) {
  return (error: unknown) => error instanceof StorageError && error.reason === reason && error.message.includes(path);
}

for (const place of ['a file', 'a file with a small footprint', ':memory:']) {
  const openThere = async (t: TestContext) => {
    if (place === ':memory:') return openFor(t, ':memory:');
    const path = join(await folderFor(t), 'chat.db');
    return openFor(t, path, place === 'a file' ? {} : { footprint: 'small' });
  };

  test(`in ${place} a failing write does not undo the others of its group`, async (t) => {
    const storage = await openThere(t);
    const outcomes = await Promise.allSettled([
      storage.write((tx) => note(tx, 'first')),
      storage.write(async (tx) => {
        await note(tx, 'second');
        throw new Error('changed my mind');
      }),
      storage.write(async (tx) => {
        await note(tx, 'third');
        return 'done';
      }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await kindsIn(storage), ['first', 'third']);
  });

  test(`in ${place} a write that fails before writing does not repeat the others of its group`, async (t) => {
    const storage = await openThere(t);
    const ran: string[] = [];
    const outcomes = await Promise.allSettled([
      storage.write(async (tx) => {
        ran.push('first');
        await note(tx, 'first');
      }),
      storage.write(async (tx) => {
        ran.push('second');
        await tx.outbox.givenUp(1);
        throw new Error('changed my mind');
      }),
      storage.write(async (tx) => {
        ran.push('third');
        await note(tx, 'third');
      }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(ran, ['first', 'second', 'third']);
    assert.deepEqual(await kindsIn(storage), ['first', 'third']);
  });

  test(`in ${place} a write of a repeated group stores and returns only its second run`, async (t) => {
    const storage = await openThere(t);
    let runs = 0;
    const counting = storage.write(async (tx) => {
      await note(tx, `run ${++runs}`);
      return runs;
    });
    const failing = storage.write(async (tx) => {
      await note(tx, 'never');
      throw new Error(`changed my mind after ${runs}`);
    });
    await assert.rejects(failing, /after 2/);
    assert.equal(await counting, 2);
    assert.deepEqual(await kindsIn(storage), ['run 2']);
  });

  test(`in ${place} a write that violates a constraint fails alone`, async (t) => {
    const storage = await openThere(t);
    const outcomes = await Promise.allSettled([
      storage.write((tx) => note(tx, 'first')),
      storage.write((tx) => tx.conversations.ensureTopic(404, 'nowhere')),
      storage.write((tx) => note(tx, 'third')),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await kindsIn(storage), ['first', 'third']);
  });

  test(`in ${place} a failing write that is alone in its group stores nothing`, async (t) => {
    const storage = await openThere(t);
    await assert.rejects(
      storage.write(async (tx) => {
        await note(tx, 'alone');
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.deepEqual(await kindsIn(storage), []);
    await storage.write((tx) => note(tx, 'after'));
    assert.deepEqual(await kindsIn(storage), ['after']);
  });

  test(`in ${place} a read that starts after a write sees it`, async (t) => {
    const storage = await openThere(t);
    for (let round = 0; round < 20; round++) {
      await storage.write((tx) => note(tx, `round ${round}`));
      assert.equal((await kindsIn(storage)).length, round + 1);
    }
  });
}

test('in :memory:, where reads and writes share a connection, a read waits for an open transaction', async (t) => {
  const storage = await openFor(t, ':memory:');
  let seen: Promise<string[]> | undefined;
  await storage.write(async (tx) => {
    await note(tx, 'unfinished');
    seen = kindsIn(storage);
    // Gives a read that does not wait the time to finish.
    for (let turn = 0; turn < 50; turn++) await null;
    await note(tx, 'finished');
  });
  assert.deepEqual(await seen, ['finished', 'unfinished']);
});

test('a read does not wait for an open write of another process', async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.write((tx) => note(tx, 'there'));
  const slow = stranger(t, path);
  slow.exec('BEGIN IMMEDIATE');
  slow.exec('DELETE FROM outbox');
  assert.deepEqual(await kindsIn(storage), ['there']);
  slow.exec('COMMIT');
  assert.deepEqual(await kindsIn(storage), []);
});

test('an error of one of several concurrent reads does not affect the others', async (t) => {
  const { path, storage } = await freshFor(t);
  stranger(t, path).exec('DROP TABLE playgrounds');
  const outcomes = await Promise.allSettled([
    storage.read((tx) => tx.messages.maxId()),
    storage.read((tx) => tx.playgrounds.all()),
    storage.read((tx) => tx.messages.maxId()),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a write in a read is refused', async (t) => {
  const { path, storage } = await freshFor(t);
  await assert.rejects(
    storage.read((tx) => enqueue(tx, 'sneaked in')),
    refusal('read-only', path),
  );
  assert.deepEqual(await kindsIn(storage), []);
});

test('close completes earlier writes and refuses later calls', async (t) => {
  const { path, storage } = await freshFor(t);
  const writes = Array.from({ length: 600 }, () => storage.write((tx) => enqueue(tx, 'job')));
  await storage.close();
  await Promise.all(writes);
  await assert.rejects(
    storage.write((tx) => enqueue(tx, 'late')),
    refusal('closed', path),
  );
  await assert.rejects(
    storage.read(async () => undefined),
    refusal('closed', path),
  );
  await assert.rejects(stat(`${path}-wal`), { code: 'ENOENT' });
  const again = await openFor(t, path);
  assert.equal((await again.write((tx) => tx.outbox.claimDue('job', 1, 2, 1000))).length, 600);
});

test('a commit of another process is noticed, and own commits are not', async (t) => {
  const { path, storage } = await freshFor(t);
  let noticed = 0;
  storage.onForeignCommit(() => noticed++);
  await storage.write((tx) => enqueue(tx, 'ours'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(noticed, 0);

  await promisify(execFile)(process.execPath, [await compiledProgram('write-one'), path]);
  await until('the commit is noticed', () => noticed > 0);
  assert.deepEqual(await kindsIn(storage), ['theirs']);
});

test('a write that waits for another process does not block the event loop', async (t) => {
  const { path, storage } = await freshFor(t);
  const other = stranger(t, path);
  other.exec('BEGIN IMMEDIATE');
  const writing = storage.write((tx) => note(tx, 'patient'));
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  await new Promise((resolve) => setTimeout(resolve, 400));
  clearInterval(counting);
  other.exec('COMMIT');
  await writing;
  assert.ok(turns > 2, `only ${turns} turns of the event loop`);
  assert.deepEqual(await kindsIn(storage), ['patient']);
});

test('concurrent writes of two storages on one file are all stored', async (t) => {
  const { path, storage } = await freshFor(t);
  const other = await openFor(t, path);
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      await (at % 2 ? storage : other).write((tx) => note(tx, `job ${String(at).padStart(2, '0')}`));
    }),
  );
  assert.equal((await kindsIn(storage)).length, 40);
});

test('only its owner can read a new database', async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.write((tx) => enqueue(tx, 'private'));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
});

test('the mode of an existing database file is not changed', async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.close();
  await chmod(path, 0o640);
  await openFor(t, path);
  assert.equal((await stat(path)).mode & 0o777, 0o640);
});

test('a file that is not a database is refused and not changed', async (t) => {
  for (const content of ['tea', `${'a long letter '.repeat(1000)}`]) {
    const path = join(await folderFor(t), 'letter.txt');
    await writeFile(path, content);
    await assert.rejects(sqlite(path).open(), refusal('not-a-database', path));
    assert.equal(await readFile(path, 'utf8'), content);
  }
});

test('a database of another application is refused and not changed', async (t) => {
  const path = join(await folderFor(t), 'recipes.db');
  const other = stranger(t, path);
  other.exec('CREATE TABLE recipes (name TEXT)');
  const before = await readFile(path);
  await assert.rejects(sqlite(path).open(), refusal('foreign-application', path));
  assert.deepEqual(await readFile(path), before);
});

test('a database with newer migrations is refused', async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.close();
  const connection = stranger(t, path);
  connection.exec("INSERT INTO migrations VALUES (999, 'from the future', 0)");
  await assert.rejects(sqlite(path).open(), refusal('newer-version', path));
});

test('the error for a missing folder names the path', async (t) => {
  const path = join(await folderFor(t), 'nowhere', 'chat.db');
  await assert.rejects(sqlite(path).open(), refusal('unreachable', path));
});

test('the error for a path that is a folder names the path', async (t) => {
  const path = await folderFor(t);
  await assert.rejects(sqlite(path).open(), refusal('unreachable', path));
});

const [, other] = sqliteDrivers;

test('each SQLite driver opens a file that the other has written', { skip: other.skip }, async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.write((tx) => note(tx, 'written by the other driver'));
  await storage.close();
  const another = await openFor(t, path, { driver: other.name });
  assert.deepEqual(await kindsIn(another), ['written by the other driver']);
  await another.write((tx) => note(tx, 'and this one'));
  assert.equal((await kindsIn(another)).length, 2);
});

test('the error for a SQLite driver that does not run on this Node names it and says what to do', {
  skip: !other.skip,
}, async (t) => {
  const driver = other.name;
  const folder = await folderFor(t);
  await assert.rejects(
    sqlite(join(folder, 'chat.db'), { driver }).open(),
    (error) =>
      error instanceof StorageError &&
      error.reason === 'unsupported-engine' &&
      error.message.includes(driver) &&
      /\b(use|choose|install)\b/.test(error.message),
  );
  assert.deepEqual(await readdir(folder), []);
});

test('outbox items given up by an earlier version are kept from the time they were created', async (t) => {
  const { path, storage } = await freshFor(t);
  await storage.write((tx) => note(tx, 'lost'));
  stranger(t, path).exec('UPDATE outbox SET given_up_ms = NULL, created_ms = 500');
  assert.equal(await storage.read((tx) => tx.outbox.oldestGivenUp()), 500);
  assert.equal(await storage.write((tx) => tx.outbox.removeGivenUp(499, 10)), 0);
  assert.equal(await storage.write((tx) => tx.outbox.removeGivenUp(500, 10)), 1);
  assert.deepEqual(await kindsIn(storage), []);
});

test('writes with relaxed durability can be read', async (t) => {
  const storage = await openFor(t, join(await folderFor(t), 'chat.db'), { durability: 'relaxed' });
  await storage.write((tx) => note(tx, 'relaxed'));
  assert.deepEqual(await kindsIn(storage), ['relaxed']);
});

test('a SQLite statement with too few values throws, and booleans and undefined become 1 and NULL', async (t) => {
  const connection = stranger(t, join(await folderFor(t), 'chat.db'));
  assert.throws(() => connection.get('SELECT ? AS a, ? AS b', [1]), RangeError);
  const row = connection.get<object>('SELECT ? AS a, ? AS b', [true as never, undefined as never]);
  assert.deepEqual({ ...row }, { a: 1, b: null });
});

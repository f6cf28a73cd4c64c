import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { commitNotices, createUsers, draft, holdUntil, newUser, openFor, openFounded } from './fixtures.ts';

const KINDS: readonly WriteKind[] = ['write', 'mark', 'append', 'silent'];

const failsAs = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;

async function namesIn(tx: Transaction): Promise<string[]> {
  return (await tx.users.changedSince(0)).map((user) => user.full_name);
}

export function transactionsContract(engine: Engine): void {
  const test = testOn(engine);
  test('a committed write is visible to the next read and after reopening', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const user = await storage.write((tx) => tx.users.create(newUser('Ada')));
    assert.deepEqual(await storage.read((tx) => tx.users.byId(user.id)), user);
    const again = await reopen();
    assert.deepEqual(await again.read((tx) => tx.users.byId(user.id)), user);
  });

  test('a write reads its own changes', async (t) => {
    const { storage } = await openFounded(t, engine);
    const name = await storage.write(async (tx) => {
      const { id } = await tx.users.create(newUser('Ada'));
      return (await tx.users.byId(id))?.full_name;
    });
    assert.equal(name, 'Ada');
  });

  for (const kind of KINDS) {
    test(`a write of the kind ${kind} that throws stores nothing and rejects with its error`, async (t) => {
      const { storage } = await openFounded(t, engine);
      const failure = new Error('on second thoughts');
      const work = storage.write(async (tx) => {
        await tx.users.create(newUser('Ada'));
        await tx.events.append([draft('never', { scope: 'everyone' })], 1);
        throw failure;
      }, kind);
      await assert.rejects(work, (error) => error === failure);
      assert.equal(await storage.read((tx) => tx.users.byEmail('ada@example.org')), undefined);
      assert.equal(await storage.read((tx) => tx.events.tail()), 0);
    });

    test(`a write of the kind ${kind} that fails does not affect concurrent writes`, async (t) => {
      const { storage } = await openFounded(t, engine);
      const outcomes = await Promise.allSettled(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) =>
          storage.write(async (tx) => {
            await tx.events.append([draft(name, { scope: 'everyone' })], 1);
            if (at % 2 === 1) throw new Error(name);
          }, kind),
        ),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
      );
      const events = await storage.read((tx) => tx.events.since(0, 100));
      assert.deepEqual(events.map(({ event }) => event.note).sort(), ['a', 'c', 'e']);
    });

    test(`a write of the kind ${kind} that violates a constraint does not affect the next write`, async (t) => {
      const { storage } = await openFounded(t, engine);
      await storage.write((tx) => tx.users.create(newUser('Ada')));
      await assert.rejects(storage.write((tx) => tx.users.create(newUser('Ada')), kind));
      await storage.write((tx) => tx.users.create(newUser('Bob')), kind);
      assert.equal((await storage.read((tx) => tx.users.changedSince(0))).length, 2);
    });

    test(`the transaction of a write of the kind ${kind} cannot be used after its work has ended`, async (t) => {
      const { storage } = await openFounded(t, engine);
      let kept: Transaction | undefined;
      await storage.write(async (tx) => {
        kept = tx;
      }, kind);
      await assert.rejects(async () => kept?.users.create(newUser('Ada')), failsAs('ended'));
      await storage.write(async (tx) => {
        await tx.users.create(newUser('Bob'));
        await assert.rejects(async () => kept?.users.create(newUser('Ada')), failsAs('ended'));
      }, kind);
      assert.deepEqual(await storage.read(namesIn), ['Bob']);
    });

    test(`a write of the kind ${kind} that waits for a write of its own storage fails as stalled and affects no other write`, async (t) => {
      const { storage } = await openFounded(t, engine);
      const add = (name: string) => storage.write((tx) => tx.users.create(newUser(name)), kind);
      const nested = storage.write(async (tx) => {
        await tx.users.create(newUser('Ada'));
        await storage.write((inner) => inner.users.byId(1));
      }, kind);
      const outcomes = await Promise.allSettled([add('Bob'), nested, add('Cyd')]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.ok(failsAs('stalled')((outcomes[1] as PromiseRejectedResult).reason));
      await add('Dan');
      assert.deepEqual((await storage.read(namesIn)).sort(), ['Bob', 'Cyd', 'Dan']);
    });
  }

  test('the transaction of a read cannot be used after its work has ended', async (t) => {
    const { storage } = await openFounded(t, engine);
    let kept: Transaction | undefined;
    await storage.read(async (tx) => {
      kept = tx;
    });
    await assert.rejects(async () => kept?.users.byId(1), failsAs('ended'));
  });

  test('a read does not see uncommitted writes', async (t) => {
    const { storage } = await openFounded(t, engine);
    const seen = await storage.read(async (tx) => {
      let found: unknown = 'nothing';
      await storage.write(async (theirs) => {
        await theirs.users.create(newUser('Ada'));
        let isRead = false;
        const reading = (async () => tx.users.byEmail('ada@example.org'))().finally(() => (isRead = true));
        await holdUntil(theirs, () => isRead);
        found = await reading;
      });
      return found;
    });
    assert.equal(seen, undefined);
  });

  test('a read sees one snapshot while others commit', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const seen = await storage.read(async (tx) => {
      const before = (await tx.users.changedSince(0)).length;
      await other.write((theirs) => theirs.users.create(newUser('Ada')));
      return [before, (await tx.users.changedSince(0)).length];
    });
    assert.deepEqual(seen, [0, 0]);
  });

  test('concurrent reads each return their own result', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const outcomes = await Promise.allSettled([
      storage.read(namesIn),
      storage.read(async () => {
        throw new Error('changed my mind');
      }),
      storage.read(namesIn),
      storage.read(async (tx) => (await tx.organization.versions())?.users_version),
      storage.read(async (tx) => (await tx.organization.versions())?.users_version),
    ]);
    const [first, second, third, fourth, fifth] = outcomes.map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
    );
    assert.deepEqual([first, second, third, fourth], [['Ada', 'Bob'], 'changed my mind', ['Ada', 'Bob'], fifth]);
  });

  test('a read sees everything committed before it started, also during other reads', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const state = async (tx: Transaction) => [(await tx.organization.versions())?.users_version, await namesIn(tx)];
    const [version = 0] = (await storage.read(state)) as [number];
    for (const [at, name] of ['Ada', 'Bob', 'Cyd', 'Dan'].entries()) {
      const early = Array.from({ length: 200 }, () => storage.read(state));
      await other.write((tx) => createUsers(tx, name));
      const late = await Promise.all([storage.read(state), storage.read(state)]);
      const names = ['Ada', 'Bob', 'Cyd', 'Dan'].slice(0, at + 1);
      assert.deepEqual(late, [
        [version + at + 1, names],
        [version + at + 1, names],
      ]);
      for (const [seen, people] of (await Promise.all(early)) as [number, string[]][]) {
        assert.equal(people.length, seen - version, 'values of one version are read together');
      }
    }
  });

  test('exclusive writes of two storages run one after another', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const storages = [storage, await reopen()];
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        storages[at % 2]?.write(async (tx) => {
          most = Math.max(most, ++inside);
          const members = Number((await tx.organization.get())?.settings.members ?? 0);
          await tx.organization.update({ settings: { members: members + 1 } });
          inside--;
        }),
      ),
    );
    assert.equal((await storage.read((tx) => tx.organization.get()))?.settings.members, 20);
    assert.equal(most, 1);
  });

  test('concurrent shared writes of two storages are all stored', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const storages = [storage, await reopen()];
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        storages[at % 2]?.write((tx) => tx.events.append([draft(`${at}`, { scope: 'everyone' })], 1), 'mark'),
      ),
    );
    const events = await storage.read((tx) => tx.events.since(0, 100));
    assert.equal(new Set(events.map(({ event }) => event.note)).size, 40);
  });

  test('a storage gets a commit notice of each write by another storage', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const notices = await commitNotices(storage, engine);
    for (let round = 0; round < 2; round++) {
      const before = notices();
      await other.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1), 'mark');
      await until('the write is noticed', () => notices() > before);
    }
  });

  test('a write that changes nothing sends no commit notice', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const notices = await commitNotices(storage, engine);
    const before = notices();
    for (const kind of KINDS) await other.write((tx) => tx.messages.maxId(), kind);
    // SQLite looks for commits every 200 ms.
    await sleep(300);
    assert.equal(notices(), before);
  });

  test('storages that open an empty database at the same time can all read it', async (t) => {
    const { reopen } = await openFor(t, engine);
    const storages = await Promise.all([reopen(), reopen(), reopen()]);
    for (const storage of storages) assert.equal(await storage.read((tx) => tx.messages.maxId()), 0);
  });

  test('close waits for running reads and writes, and later calls are refused', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const writing = storage.write((tx) => createUsers(tx, 'Ada', 'Bob', 'Cyd'));
    const reading = Array.from({ length: 200 }, () => storage.read((tx) => tx.messages.maxId()));
    await storage.close();
    await Promise.all([writing, ...reading]);
    const isClosed = failsAs('closed');
    await assert.rejects(async () => storage.read((tx) => tx.users.byId(1)), isClosed);
    await assert.rejects(async () => storage.write((tx) => tx.users.byId(1)), isClosed);
    const again = await reopen();
    assert.equal((await again.read((tx) => tx.users.changedSince(0))).length, 3);
  });

  test('checkWritable succeeds on an open storage and is refused on a closed one', async (t) => {
    const { storage } = await openFounded(t, engine);
    assert.ok(storage.checkWritable);
    await storage.checkWritable();
    await storage.close();
    await assert.rejects(storage.checkWritable(), failsAs('closed'));
  });

  test('closing a storage twice succeeds', async (t) => {
    const { storage } = await openFor(t, engine);
    await storage.close();
    await storage.close();
  });
}

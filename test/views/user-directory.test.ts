import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import type { Organization, Versions } from '../../lib/model/organization.ts';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { UserDirectory, type UserList } from '../../lib/views/user-list.ts';
import { createUsers, newUser, openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';

/**
 * Opens read transactions that stay open until the test ends: later commits are invisible in them. Call it before you
 * open the storages, which wait for the transactions when they close.
 */
function snapshots(t: TestContext) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  t.after(() => end());
  return async (storage: Storage) => {
    const opened = await new Promise<{ tx: Transaction; versions: Versions; organization: Organization }>(
      (resolve, reject) => {
        const reading = storage.read(async (tx) => {
          const versions = (await tx.organization.versions()) as Versions;
          resolve({ tx, versions, organization: (await tx.organization.get()) as Organization });
          await ended;
        });
        reading.catch(reject);
      },
    );
    return (directory: UserDirectory) => directory.at(opened.tx, opened.versions, opened.organization);
  };
}

const names = (list: UserList) => list.all().map((user) => user.full_name);

const json = (list: UserList) =>
  list.json({ id: 0, role: 100 }, { client_gravatar: false, include_custom_profile_fields: false }, {}).value();

for (const engine of engines) {
  const test = testOn(engine);
  describe(`UserDirectory on ${engine.name}`, () => {
    /** Two open transactions, one from before a change of the accounts and one from after it. */
    const beforeAndAfter = async (t: TestContext) => {
      const snapshot = snapshots(t);
      const { storage, reopen } = await openFounded(t, engine);
      const { Ada } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
      const before = await snapshot(await reopen());
      await storage.write(async (tx) => {
        await tx.users.update(Ada.id, { full_name: 'Adah' });
        await tx.users.create(newUser('Cyd'));
        await tx.organization.update({ name: 'renamed' });
      });
      return { present: () => snapshot(storage), before, after: await snapshot(await reopen()) };
    };
    const OLD = ['Ada', 'Bob'];
    const NEW = ['Adah', 'Bob', 'Cyd'];

    test('each of two open transactions gets the accounts of its own snapshot, in either order', async (t) => {
      const { before, after } = await beforeAndAfter(t);
      const one = new UserDirectory();
      assert.deepEqual([names(await before(one)), names(await after(one)), names(await before(one))], [OLD, NEW, OLD]);
      const other = new UserDirectory();
      assert.deepEqual([names(await after(other)), names(await before(other))], [NEW, OLD]);
    });

    test('a concurrent read in an older snapshot does not replace the newer list of accounts', async (t) => {
      const { present, before, after } = await beforeAndAfter(t);
      const directory = new UserDirectory();
      const [newer, older] = await Promise.all([after(directory), before(directory)]);
      assert.deepEqual([names(newer), names(older)], [NEW, OLD]);
      const list = await (await present())(directory);
      assert.deepEqual(names(list), NEW);
      assert.deepEqual(
        json(list).map((user) => user.full_name),
        NEW,
      );
    });

    test('a returned list of accounts does not change when accounts change', async (t) => {
      const { before, after } = await beforeAndAfter(t);
      const directory = new UserDirectory();
      const list = await before(directory);
      await after(directory);
      assert.deepEqual(names(list), OLD);
      assert.deepEqual(
        json(list).map((user) => user.full_name),
        OLD,
      );
    });

    test('transactions of the same version share one list of accounts', async (t) => {
      const { before, after } = await beforeAndAfter(t);
      const directory = new UserDirectory();
      const list = await after(directory);
      assert.equal(await after(directory), list);
      await before(directory);
      assert.equal(await after(directory), list);
    });
  });
}

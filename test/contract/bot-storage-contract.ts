import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

/** Stored texts by key, separate for each account. */
export function botStorageContract(engine: Engine): void {
  const test = testOn(engine);

  test('stored texts keep their key and value exactly, and only their owner can read them', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const size = { entries: 0, bytes: 0 };
      const given = [
        { key: 'Ä', value: '🎉"\\\n' },
        { key: 'ä', value: '' },
        { key: '', value: 'x' },
      ];
      const sized = (entry: { key: string; value: string }) => ({ ...entry, bytes: 1 });
      await tx.botStorage.set(Ada.id, given.map(sized), size);
      const [first, second, third] = given;
      assert.deepEqual(await tx.botStorage.of(Ada.id), [third, first, second]);
      assert.deepEqual(await tx.botStorage.of(Ada.id, ['ä', 'none', 'Ä']), [first, second]);
      assert.deepEqual(await tx.botStorage.of(Bob.id), []);

      const changed = { key: 'ä', value: 'b' };
      await tx.botStorage.set(Ada.id, [sized(changed)], size);
      await tx.botStorage.set(Bob.id, [sized({ key: 'ä', value: 'his' })], size);
      await tx.botStorage.remove(Ada.id, ['', 'none'], size);
      assert.deepEqual(await tx.botStorage.of(Ada.id), [first, changed]);
      await tx.botStorage.removeAll(Ada.id);
      assert.deepEqual(await tx.botStorage.of(Ada.id), []);
      assert.deepEqual(await tx.botStorage.of(Bob.id), [{ key: 'ä', value: 'his' }]);
    });
  });

  test('bot storage reports the sizes it was given, and zero after all texts are removed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      await tx.botStorage.set(Ada.id, [{ key: 'Ä', value: '🎉b', bytes: 3 }], { entries: 1, bytes: 3 });
      const sizes = await tx.botStorage.sizes(Ada.id, ['Ä', 'none', 'Ä']);
      assert.deepEqual(sizes, { all: { entries: 1, bytes: 3 }, named: [{ key: 'Ä', bytes: 3 }] });
      assert.deepEqual(await tx.botStorage.sizes(Bob.id, ['Ä']), { all: { entries: 0, bytes: 0 }, named: [] });
      await tx.botStorage.removeAll(Ada.id);
      assert.deepEqual(await tx.botStorage.sizes(Ada.id, ['Ä']), { all: { entries: 0, bytes: 0 }, named: [] });
    });
  });
}

import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

/** Texts under keys, each account's own. */
export function botStorageContract(engine: Engine): void {
  const test = testOn(engine);

  test('texts are kept by key to the letter, and are there for their owner alone', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const given = [
        { key: 'Ä', value: '🎉"\\\n' },
        { key: 'ä', value: '' },
        { key: '', value: 'x' },
      ];
      await tx.botStorage.set(Ada.id, given, { entries: 3, characters: 7 });
      const [first, second, third] = given;
      assert.deepEqual(await tx.botStorage.of(Ada.id), [third, first, second]);
      assert.deepEqual(await tx.botStorage.of(Ada.id, ['ä', 'none', 'Ä']), [first, second]);
      assert.deepEqual(await tx.botStorage.of(Bob.id), []);

      const changed = { key: 'ä', value: 'b' };
      await tx.botStorage.set(Ada.id, [changed], { entries: 3, characters: 8 });
      await tx.botStorage.set(Bob.id, [{ key: 'ä', value: 'his' }], { entries: 1, characters: 4 });
      await tx.botStorage.remove(Ada.id, ['', 'none'], { entries: 2, characters: 7 });
      assert.deepEqual(await tx.botStorage.of(Ada.id), [first, changed]);
      await tx.botStorage.removeAll(Ada.id);
      assert.deepEqual(await tx.botStorage.of(Ada.id), []);
      assert.deepEqual(await tx.botStorage.of(Bob.id), [{ key: 'ä', value: 'his' }]);
    });
  });

  test('sizes are those of keys and texts in characters', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      await tx.botStorage.set(Ada.id, [{ key: 'Ä', value: '🎉b' }], { entries: 1, characters: 3 });
      const sizes = await tx.botStorage.sizes(Ada.id, ['Ä', 'none', 'Ä']);
      assert.deepEqual(sizes, { all: { entries: 1, characters: 3 }, named: [{ key: 'Ä', characters: 3 }] });
      assert.deepEqual(await tx.botStorage.sizes(Bob.id, ['Ä']), { all: { entries: 0, characters: 0 }, named: [] });
      await tx.botStorage.removeAll(Ada.id);
      assert.deepEqual(await tx.botStorage.sizes(Ada.id, ['Ä']), { all: { entries: 0, characters: 0 }, named: [] });
    });
  });
}

import assert from 'node:assert/strict';
import type { ProfileField } from '../../lib/model/organization.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

const field = (name: string, more: Partial<ProfileField> = {}): Omit<ProfileField, 'id'> => ({
  type: 3,
  name,
  hint: 'é',
  field_data: '{"a":{"text":"A","order":"1"}}',
  display_in_profile_summary: true,
  required: false,
  editable_by_user: true,
  ...more,
});

const names = async (tx: Transaction) => (await tx.profileFields.all()).map(({ name }) => name);

export function profilesContract(engine: Engine): void {
  const test = testOn(engine);

  test('profile fields keep their order, and the organization lists them', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const a = await tx.profileFields.create(field('a'));
      const b = await tx.profileFields.create(field('b'));
      const c = await tx.profileFields.create(field('c'));
      await tx.profileFields.reorder([c, a, b]);
      assert.deepEqual(await names(tx), ['c', 'a', 'b']);
      await tx.profileFields.update({ id: a, ...field('z', { display_in_profile_summary: false, required: true }) });
      assert.deepEqual((await tx.organization.get())?.profile_fields, [
        { id: c, ...field('c') },
        { id: a, ...field('z', { display_in_profile_summary: false, required: true }) },
        { id: b, ...field('b') },
      ]);
    });
  });

  test('the ID of a removed profile field is never used again', async (t) => {
    const { storage } = await openFounded(t, engine);
    const removed = await storage.write((tx) => tx.profileFields.create(field('a')));
    await storage.write((tx) => tx.profileFields.remove(removed));
    assert.notEqual(await storage.write((tx) => tx.profileFields.create(field('a'))), removed);
  });

  test('dropping the values of a profile field removes all or only the given values, and no other field', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dan } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dan');
      const having = (id: number, data: object) => tx.users.update(id, { profile_data: JSON.stringify(data) });
      // A value that contains the JSON of field 7 is not field 7.
      const decoy = { value: '"7":{"value":"tea"}' };
      await having(Ada.id, { 7: { value: 'tea' }, 8: { value: 'x', rendered_value: '<p>"x"</p>' } });
      await having(Bob.id, { 7: { value: 'milk "and" sugar' } });
      await having(Cyd.id, { 17: { value: 'tea' }, 70: decoy });
      const data = async (id: number) => JSON.parse((await tx.users.byId(id))?.profile_data as string);
      const untouched = [await tx.users.byId(Cyd.id), await tx.users.byId(Dan.id)];
      await tx.users.dropProfileValues(7, ['tea', 'coffee']);
      assert.deepEqual(await data(Ada.id), { 8: { value: 'x', rendered_value: '<p>"x"</p>' } });
      assert.deepEqual(await data(Bob.id), { 7: { value: 'milk "and" sugar' } });
      await tx.users.dropProfileValues(7, ['milk "and" sugar']);
      assert.deepEqual(await data(Bob.id), {});
      await having(Bob.id, { 7: { value: 'tea' } });
      await tx.users.dropProfileValues(7);
      assert.deepEqual(await data(Bob.id), {});
      assert.deepEqual(await data(Dan.id), {});
      assert.deepEqual([await tx.users.byId(Cyd.id), await tx.users.byId(Dan.id)], untouched);
      const version = (await tx.organization.versions())?.users_version;
      assert.equal((await tx.users.byId(Bob.id))?.version, version);
    });
  });

  test('avatars are read back byte for byte, and replacing them removes the old ones', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const bytes = new Uint8Array([0, 255, 128, 10]);
      await tx.avatars.replace(Ada.id, [
        { file_name: 'a.png', bytes },
        { file_name: 'a-medium.png', bytes },
      ]);
      await tx.avatars.replace(Bob.id, [{ file_name: 'b.png', bytes }]);
      const found = await tx.avatars.image('a.png');
      assert.deepEqual([found?.user_id, [...(found?.bytes ?? [])]], [Ada.id, [...bytes]]);
      await tx.avatars.replace(Ada.id, [{ file_name: 'c.png', bytes }]);
      assert.equal(await tx.avatars.image('a.png'), undefined);
      assert.equal(await tx.avatars.image('a-medium.png'), undefined);
      await tx.avatars.replace(Ada.id, []);
      assert.equal(await tx.avatars.image('c.png'), undefined);
      assert.ok(await tx.avatars.image('b.png'));
    });
  });
}

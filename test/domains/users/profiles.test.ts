import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import { testOn } from '../../support/engines.ts';
import { featureEngines, sqliteEngine } from '../../world/copies.ts';
import { png } from '../../world/pictures.ts';
import { twoProcesses } from '../../world/processes.ts';
import type { World } from '../../world/world.ts';
import { addFields, dataOf, fill, OPTIONS } from './profile-fields/filling.ts';

/** All accounts with their profiles, as this process returns them. */
const shown = async ({ as }: World) => {
  const { members } = await as('owner').users.list({ include_custom_profile_fields: true });
  return members.map(({ user_id, avatar_url, profile_data }) => ({ user_id, avatar_url, profile_data }));
};

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`profiles on ${engine.name}`, () => {
    test('changes of profiles and avatars in one process show in another at once', async (t) => {
      const [one, other] = await twoProcesses(t, engine);
      const same = async (what: string) => assert.deepEqual(await shown(other), await shown(one), what);
      const { food, diet } = await addFields(one, {
        food: { field_type: 1 },
        diet: { field_type: 3, field_data: OPTIONS },
      });
      await same('fields');
      await fill(other, 'hamlet', { [food]: 'Soup', [diet]: '0' });
      await fill(one, 'cordelia', { [food]: 'Stew', [diet]: '1' });
      await same('values');
      assert.equal((await dataOf(other, 'cordelia'))?.[food]?.value, 'Stew');
      await other.as('hamlet').avatars.upload({ file: png });
      await same('a picture');
      await one.as('owner').profileFields.edit({ field_id: diet, field_data: { 1: OPTIONS[1] } });
      await same('after an option was removed');
      await other.as('owner').profileFields.remove({ field_id: food });
      await same('after a field was removed');
      assert.deepEqual(await dataOf(one, 'hamlet'), {});
      assert.deepEqual(await dataOf(one, 'cordelia'), { [diet]: { value: '1' } });
    });

    test('removing a profile field while another process sets it leaves no value', async (t) => {
      const [one, other] = await twoProcesses(t, engine);
      for (let round = 0; round < 5; round++) {
        const { id } = await one.as('owner').profileFields.create({ name: `food ${round}`, field_type: 1 });
        const [removed] = await Promise.allSettled([
          one.as('owner').profileFields.remove({ field_id: id }),
          fill(other, 'hamlet', { [id]: 'Soup' }),
          fill(other, 'cordelia', { [id]: 'Stew' }),
        ]);
        assert.equal(removed.status, 'fulfilled');
      }
      const stored = await one.storage.read((tx) => tx.users.changedSince(0));
      assert.deepEqual(new Set(stored.map(({ profile_data }) => profile_data)), new Set(['{}']));
      assert.deepEqual(await shown(other), await shown(one));
    });

    const size = engine === sqliteEngine ? 10_000 : 500;
    test(`listing ${size} users with profiles takes the same statements as without profiles`, async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const fields = await addFields(
        world,
        Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field ${at}`, { field_type: 2 as const }])),
      );
      const storage = world.storage as unknown as { statements: number };
      const counted = async (call: () => Promise<unknown>) => {
        // The account of the caller is cached.
        await Promise.all([world.as('owner').users.me(), world.as('hamlet').users.me()]);
        const before = storage.statements;
        await call();
        return storage.statements - before;
      };
      const list = () => world.as('hamlet').users.list({ include_custom_profile_fields: true });
      const remove = (name: string) => () =>
        world.as('owner').profileFields.remove({ field_id: fields[name] as number });
      const few = [await counted(list), await counted(list), await counted(remove('field 0'))];
      const value = 'x'.repeat(500);
      const { 'field 0': _, ...left } = fields;
      const profile_data = JSON.stringify(
        Object.fromEntries(Object.values(left).map((id) => [id, { value, rendered_value: `<p>${value}</p>` }])),
      );
      const now = world.clock.now();
      await world.storage.write(async (tx) => {
        for (let at = 0; at < size; at++) {
          const email = `extra${at}@example.com`;
          const { id } = await tx.users.create(newAccount({ email, full_name: `Extra ${at}`, role: 400, now }));
          // Most profiles are small. One has the maximum size.
          await tx.users.update(id, {
            profile_data: at % 50 === 0 ? profile_data : `{"${fields['field 1']}":{"value":"y"}}`,
          });
        }
      });
      assert.deepEqual([await counted(list), await counted(list), await counted(remove('field 1'))], few);
      const { members } = await list();
      assert.ok(members.length > size);
      assert.ok(members.every((member) => !Object.hasOwn(member.profile_data ?? {}, String(fields['field 1']))));
      const full = members.filter((member) => Object.keys(member.profile_data ?? {}).length === 18);
      assert.equal(full.length, size / 50);
    });
  });
}

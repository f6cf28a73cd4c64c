import assert from 'node:assert/strict';
import { newUser, organization } from '../contract/fixtures.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

for (const { name, skip, make } of places) {
  testOn({ skip })(`accounts with a Gravatar avatar have a generated avatar after an upgrade (${name})`, async (t) => {
    const place = await make();
    t.after(() => place.remove());
    const older = storageAt(place.address);
    await older.open();
    const before = await older.write(async (tx) => {
      await tx.organization.create(organization());
      for (let at = 0; at < 1_200; at++) await tx.users.create(newUser(`User${at}`, { avatar_source: 'G' }));
      const uploaded = await tx.users.create(newUser('Uploaded', { avatar_source: 'U', avatar_version: 3 }));
      return { uploaded, versions: await tx.organization.versions() };
    });
    await older.close();
    await place.sql('INSERT INTO unfinished_fills (version, filled_to) VALUES (13, 0)');
    const newer = storageAt(place.address);
    await newer.open();
    t.after(() => newer.close());
    await newer.read(async (tx) => {
      const users = await tx.users.changedSince(0);
      assert.deepEqual(new Set(users.map((user) => user.avatar_source)), new Set(['J', 'U']));
      assert.deepEqual(users.at(-1), before.uploaded);
      // A process that cached the accounts reads the changed ones.
      const changed = await tx.users.changedSince(before.versions?.users_version as number);
      assert.equal(changed.length, 1_200);
      const newest = (await tx.organization.versions())?.users_version;
      assert.equal(Math.max(...changed.map(({ version }) => version)), newest);
    });
  });
}

import assert from 'node:assert/strict';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

const { version } = migrations.find((migration) => migration.name === 'upload space key') ?? assert.fail();

const WITHOUT_KEY = {
  sqlite: `SELECT t.name FROM sqlite_schema t
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.sql NOT LIKE 'CREATE VIRTUAL TABLE%'
      AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE pk > 0)`,
  postgres: `SELECT t.relname AS name FROM pg_class t
    WHERE t.relkind = 'r' AND t.relnamespace = CAST(current_schema() AS regnamespace)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'p')`,
};

for (const { name, skip, make } of places) {
  testOn({ skip })(
    `after an upgrade, every table has a primary key, and older processes too read the used upload space (${name})`,
    async (t) => {
      const place = await make();
      t.after(() => place.remove());
      const open = async (known = migrations) => {
        const storage = storageAt(place.address, known);
        t.after(() => storage.close());
        await storage.open();
        return storage;
      };
      const older = await open(migrations.filter((migration) => migration.version < version));
      await place.sql('UPDATE upload_space SET used = 7');
      const used = (storage: typeof older) => storage.read((tx) => tx.uploads.spaceUsed());
      assert.equal(await used(older), 7);
      const newer = await open();
      assert.deepEqual([await used(older), await used(newer)], [7, 7]);
      assert.deepEqual(await place.sql(WITHOUT_KEY['path' in place.address ? 'sqlite' : 'postgres']), []);
    },
  );
}

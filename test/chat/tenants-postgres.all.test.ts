import assert from 'node:assert/strict';
import pg from 'pg';
import { openTenants } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { migratedPlace } from '../support/postgres.ts';

const test = testOn({ skip: withoutPostgres });

test('a connection ends after a hundred tenants, since PostgreSQL keeps the descriptions of all their tables', async (t) => {
  const { url, schema, drop } = await migratedPlace();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  const tenants = openTenants({ storage: () => postgres({ pool }, { schema }), maxOpen: 1 });
  t.after(async () => {
    await tenants.close();
    await pool.end();
    await drop();
  });
  const process = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const used = new Set<number>();
  for (let n = 0; n < 150; n++) {
    await tenants.with(String(n), (chat) => chat.hasOrganization());
    used.add(await process());
  }
  assert.equal(used.size, 2);
});

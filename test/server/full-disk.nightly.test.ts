import assert from 'node:assert/strict';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { sqliteDrivers, withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { troubled } from './database-trouble.ts';
import {
  checkNothingLost,
  readinessOf,
  sendUntilRefused,
  testFullDisk,
  testRefusedWrites,
  untilReadiness,
} from './full-disks.ts';
import { smallDisk, withoutMount } from './small-disk.ts';

for (const driver of sqliteDrivers) {
  testFullDisk(driver, 3);
  testRefusedWrites(driver, 3);
}

describe('PostgreSQL on a full disk', { skip: withoutPostgres || withoutMount }, () => {
  it('/ready answers 503 once a write has failed, until there is room', async (t) => {
    const postgresServer = await startPostgresServer();
    t.after(() => postgresServer.stop());
    const disk = smallDisk(t, 8);
    const place = join(disk.path, 'tables');
    mkdirSync(place);
    const asOwner = new pg.Client({ connectionString: postgresServer.url });
    await asOwner.connect();
    const { uid, gid } = statSync((await asOwner.query('SHOW data_directory')).rows[0].data_directory);
    chownSync(place, uid, gid);
    chownSync(disk.path, uid, gid);
    await asOwner.query(`CREATE TABLESPACE small LOCATION '${place}'`);
    await asOwner.query('ALTER ROLE CURRENT_USER SET default_tablespace = small');
    await asOwner.end();
    const server = await troubled(t, postgres(postgresServer.url, { poolSize: 5 }));
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await readinessOf(server), [200, 'ok']);
      disk.fill();
      await sendUntilRefused(server);
      await untilReadiness(server, [503, 'full']);
      assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
      disk.makeRoom();
      await untilReadiness(server, [200, 'ok']);
      assert.equal((await server.say(`room again ${time}`)).status, 200);
      await checkNothingLost(server);
    }
  });
});

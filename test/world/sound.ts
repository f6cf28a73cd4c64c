import assert from 'node:assert/strict';
import { check, type Keepable, type Storage } from '../../lib/index.ts';

/**
 * Throws unless whatever must always hold in a database does, as `chatctl check` looks. Worlds on PostgreSQL are put
 * back to the fixture with counters that start again, so numbers are left out.
 */
export async function assertSound(storage: Storage): Promise<void> {
  const { findings } = await check(storage as Storage & Keepable);
  assert.deepEqual(
    findings.filter((finding) => finding.check !== 'numbers'),
    [],
  );
}

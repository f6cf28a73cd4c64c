import assert from 'node:assert/strict';
import { check, type Keepable, type Storage } from '../../lib/index.ts';

/**
 * Throws if `chatctl check` finds a fault in the database. Counters of worlds on PostgreSQL start again after a reset,
 * so it skips them.
 */
export async function assertSound(storage: Storage): Promise<void> {
  const { findings } = await check(storage as Storage & Keepable);
  assert.deepEqual(
    findings.filter((finding) => finding.check !== 'numbers'),
    [],
  );
}

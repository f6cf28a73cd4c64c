import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Bundle } from '../support/bundle.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';
import { assault, programs } from './assault.ts';

/** `npm run hostile` runs the same with more data and for a longer time. */
const SIZES = { people: 100, channels: 40, messages: 600, topics: 600, worst: 60, hostile: 6, ordinary: 3 };

/** Starts so many attacks. */
export function testAttacks(engine: 'SQLite' | 'PostgreSQL', count: number): void {
  describe('members who attack the server', () => {
    let bundle: Bundle;
    before(async () => {
      bundle = await programs();
    });
    after(() => bundle.remove());

    const skip = engine === 'PostgreSQL' ? withoutPostgres : undefined;
    test(`attacks of members cause no crash, error or lost message for other users, on ${engine}`, {
      ...(skip ? { skip } : {}),
    }, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
      const postgres = engine === 'PostgreSQL' ? await postgresPlace() : undefined;
      t.after(async () => {
        await postgres?.drop();
        await rm(folder, { recursive: true, force: true });
      });
      const database = postgres
        ? { database: postgres.url, schema: postgres.schema }
        : { database: join(folder, 'chat.db') };
      const { waits, faults } = await assault(bundle, { ...database, folder }, SIZES, (_, attacks) => attacks >= count);
      assert.deepEqual(faults, []);
      assert.ok((waits.get('delivery') ?? []).length > 0, 'no user received a message');
    });
  });
}

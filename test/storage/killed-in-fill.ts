import type { Migration } from '../../lib/storage/migrations/migration.ts';
import { later } from './later-migrations.ts';
import { type Address, storageAt } from './migration-places.ts';

/** A process that dies after writing and before committing its third batch. `migrations.all.test.ts` runs it. */
let batches = 0;
const known = later.map((migration): Migration => {
  const { fill } = migration;
  if (!fill) return migration;
  return {
    ...migration,
    fill: {
      ...fill,
      async some(connection, after) {
        const filled = await fill.some(connection, after);
        if (++batches === 3) process.kill(process.pid, 'SIGKILL');
        return filled;
      },
    },
  };
});

await storageAt(JSON.parse(process.argv[2] as string) as Address, known).open();

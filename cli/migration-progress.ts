import type { MigrationStep } from '../lib/index.ts';
import { withoutPassword } from './database-address.ts';
import type { Terminal } from './output/terminal.ts';

const EVERY_MS = 2_000;

/** Prints the progress of a migration to stderr. Prints nothing for a new database. */
export function migrationProgress(location: string, terminal: Terminal): (step: MigrationStep) => void {
  const place = withoutPassword(location);
  let saidMs = Number.NEGATIVE_INFINITY;
  return ({ version, name, isNew, filled }) => {
    if (isNew) return;
    const now = performance.now();
    if (!filled) terminal.err(`Migrating ${place}: ${version}, ${name}.`);
    else if (filled.done < filled.total && now - saidMs > EVERY_MS) {
      saidMs = now;
      terminal.err(
        `Migrating ${place}: ${version}, ${name}, ${Math.floor((100 * filled.done) / filled.total)} % of the rows.`,
      );
    }
  };
}

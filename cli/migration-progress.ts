import type { MigrationStep } from '../lib/index.ts';
import { withoutPassword } from './database-address.ts';
import type { Terminal } from './output/terminal.ts';

/** As often as somebody who waits likes to be told. */
const EVERY_MS = 2_000;

/** Says on stderr what is done to a database of an older version; a new one is made without a word. */
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

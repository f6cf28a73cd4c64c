import type { MigrationStep } from '../../lib/index.ts';
import { withoutPassword } from '../database-address.ts';
import type { Announce } from './announce.ts';

const EVERY_MS = 2_000;

/** Reports the progress and the result of a migration. Reports nothing for a new database. */
export function migrationNews(location: string, announce: Announce): { step(step: MigrationStep): void; end(): void } {
  const place = withoutPassword(location);
  let saidMs = Number.NEGATIVE_INFINITY;
  let reached: { from: number; to: number } | undefined;
  return {
    step({ version, name, isNew, filled }) {
      if (isNew) return;
      reached = { from: reached?.from ?? version - 1, to: version };
      const now = performance.now();
      if (!filled) announce(`Migrating ${place}: ${version}, ${name}.`, { version });
      else if (filled.done < filled.total && now - saidMs > EVERY_MS) {
        saidMs = now;
        const percent = Math.floor((100 * filled.done) / filled.total);
        announce(`Migrating ${place}: ${version}, ${name}, ${percent} % of the rows.`, { version, percent });
      }
    },
    end() {
      if (reached) announce(`Migrated ${place} from schema ${reached.from} to ${reached.to}.`, reached);
    },
  };
}

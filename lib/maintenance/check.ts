import type { FileStore } from '../adapters/files.ts';
import { errorOf } from '../base/caught.ts';
import { registered } from '../catalogue.ts';
import type { Keepable } from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { newestOf } from '../storage/migrations/migration.ts';
import { isDamaged } from '../storage/sqlite/errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { KeepingStep } from './back-up.ts';
import { type Check, type Checked, engineChecks, type Finding } from './checks/check.ts';
import { groupChecks, readingChecks, searchChecks, storedChecks } from './checks/stored.ts';

const CHECKS: readonly Check[] = [...engineChecks, ...storedChecks, ...groupChecks, ...readingChecks, ...searchChecks];
const MAX_EXAMPLES_PER_FINDING = 5;

/** Options of `check`. */
export interface CheckOptions {
  /** The file store, to check that all uploaded files exist. Default: files are not checked. */
  files?: FileStore | undefined;
  /** Called repeatedly with the progress; `what` starts with the name of a check. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Checks a database for damage: the integrity check of the engine, and rules that Parlance data always satisfies.
 * Reads one snapshot and changes nothing. Servers can keep running. Resolves to the number of checks and the findings,
 * at most one for each check.
 * @throws StorageError `older-version` if the database needs a migration, `empty` if there are no tables
 * @example const { findings } = await check(sqlite('chat.db'), { files: localFiles('chat.db-uploads') });
 */
export async function check(
  storage: Keepable,
  { files, onStep }: CheckOptions = {},
): Promise<{ checks: number; findings: Finding[] }> {
  const kinds = new Set(registered.outboxKinds.map(({ kind }) => kind));
  const findings = await storage.inspect(async (connection, version) => {
    if (version !== newestOf(migrations)) {
      throw new StorageError(`This database is of an older version of Parlance (schema ${version}).`, 'older-version');
    }
    const found: Finding[] = [];
    for (const one of CHECKS) {
      onStep?.({ what: one.name, done: 0 });
      const checked: Checked = {
        connection,
        files,
        kinds,
        onStep: (what, done, total) => onStep?.({ what: `${one.name}, ${what}`, done, total }),
      };
      const finding = await findingOf(one, checked);
      if (finding) found.push(finding);
      // On a damaged file, later checks would only find the same damage.
      if (finding?.check === 'engine') break;
    }
    return found;
  });
  return { checks: CHECKS.length, findings };
}

async function findingOf(one: Check, checked: Checked): Promise<Finding | undefined> {
  const examples: string[] = [];
  let count = 0;
  try {
    for await (const example of one.run(checked)) {
      count++;
      if (examples.length < MAX_EXAMPLES_PER_FINDING) examples.push(example);
    }
  } catch (error) {
    const [engine] = engineChecks;
    if (!isDamaged(error) || !engine) throw error;
    const examples = [`${one.name}: ${errorOf(error).message}`];
    return { check: engine.name, count: 1, says: engine.says(1), examples, advice: engine.advice };
  }
  if (count === 0) return undefined;
  return { check: one.name, count, says: one.says(count), examples, advice: one.advice };
}

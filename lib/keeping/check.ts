import { registered } from '../kernel/catalogue.ts';
import type { FileStore } from '../ports/files.ts';
import type { Keepable } from '../storage/keeping/keepable.ts';
import { migrations } from '../storage/migrations/index.ts';
import { newestOf } from '../storage/migrations/migration.ts';
import { isDamaged } from '../storage/sqlite/errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { KeepingStep } from './back-up.ts';
import type { Check, Checked, Finding } from './checks/check.ts';
import { engineChecks } from './checks/engine.ts';
import { groupChecks } from './checks/groups.ts';
import { readingChecks } from './checks/reading.ts';
import { searchChecks } from './checks/search.ts';
import { storedChecks } from './checks/stored.ts';

const CHECKS: readonly Check[] = [...engineChecks, ...storedChecks, ...groupChecks, ...readingChecks, ...searchChecks];
const EXAMPLES = 5;

/** What is looked at, and what is told meanwhile. */
export interface CheckOptions {
  /** Where uploaded files are, to look whether they are there. Default: nobody looks. */
  files?: FileStore | undefined;
  /** Called as it goes on, for whoever shows how far it is; `what` begins with the name of a check. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Looks whether an organization is sound: what the engine says of its tables, and what Parlance itself always keeps
 * to. Reads one snapshot, in parts, beside servers that go on; changes nothing. Resolves to the number of checks, and
 * what they found: one finding at most of each, and none where all is well.
 * @throws StorageError `older-version` for a database that is not up to date, `empty` where there is no organization
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
      // What rests on a damaged file only repeats it.
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
      if (examples.length < EXAMPLES) examples.push(example);
    }
  } catch (error) {
    const [engine] = engineChecks;
    if (!isDamaged(error) || !engine) throw error;
    const examples = [`${one.name}: ${(error as Error).message}`];
    return { check: engine.name, count: 1, says: engine.says(1), examples, advice: engine.advice };
  }
  if (count === 0) return undefined;
  return { check: one.name, count, says: one.says(count), examples, advice: one.advice };
}

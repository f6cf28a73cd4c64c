import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { claim } from './claims.ts';

type TestFile = readonly [file: string, load: () => Promise<unknown>];

const { PARLANCE_TEST_FOLDER: folder = '' } = process.env;

/**
 * Runs test files in this process, because loading the library takes longer than most files. Takes one when the tests of
 * the last one have ended, so that all processes of a run end at about the same time. An empty suite before each file is
 * its heading in the report. Each file begins with the environment of the process, also if a test of an earlier one has
 * changed it.
 */
export async function playFiles(files: readonly TestFile[]): Promise<void> {
  failUnlessEnded();
  const environment = { ...process.env };
  const restoreEnvironment = () => {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
    Object.assign(process.env, environment);
  };
  // The hooks that end this process run when no test is left. Tests wait until the next ones are known.
  let loaded = newSignal();
  const first = loaded;
  before(() => first.promise);
  for (const [file, load] of files) {
    if (!claim(folder, file)) continue;
    describe(file, () => before(restoreEnvironment));
    await load();
    const ended = newSignal();
    const next = newSignal();
    describe(`end of ${file}`, () =>
      before(() => {
        ended.resolve();
        return next.promise;
      }));
    loaded.resolve();
    loaded = next;
    await ended.promise;
    // Leaves the suite: the tests of the next file are not its tests.
    await setImmediate();
  }
  loaded.resolve();
}

function newSignal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Fails if the process exits before its last test: `node --test` sees only the exit code. */
function failUnlessEnded(): void {
  let hasEnded = false;
  after(() => {
    hasEnded = true;
  });
  process.on('exit', () => {
    if (hasEnded) return;
    console.error('The process ended before its last test.');
    process.exitCode = 1;
    // Any file of the process may have ended it, so none can be played again alone.
    writeFileSync(join(folder, 'uncaught'), '');
  });
}

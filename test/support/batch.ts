import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';

type TestFile = readonly [file: string, load: () => Promise<unknown>];

const { PARLANCE_TEST_FOLDER: folder = '' } = process.env;

/**
 * Runs test files in this process, because loading the library takes longer than most files. Loads one when the tests of
 * the last one have ended. An empty suite before each file is its heading in the report. Each file begins with the
 * environment of the process, also if a test of an earlier one has changed it.
 */
export async function playFiles(files: readonly TestFile[]): Promise<void> {
  failUnlessEnded();
  const environment = { ...process.env };
  const restoreEnvironment = () => {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
    Object.assign(process.env, environment);
  };
  // When no test is left, the hooks run that end this process. So the tests wait until the next ones are known.
  let goOn: () => void = () => undefined;
  const waiting = (begun?: () => void) => {
    begun?.();
    return new Promise<void>((resolve) => {
      goOn = resolve;
    });
  };
  const first = waiting();
  before(() => first);
  for (const [file, load] of files) {
    begin(file);
    restoreEnvironment();
    describe(file, () => undefined);
    await load();
    const ended = new Promise<void>((resolve) => {
      describe(`end of ${file}`, () => before(() => waiting(resolve)));
    });
    goOn();
    await ended;
    // Leaves the suite: the tests of the next file are not its tests.
    await setImmediate();
  }
  goOn();
}

/** Notes that this process plays the file, for the report and the limit of its time. */
function begin(file: string): void {
  const claim = JSON.stringify({ file, program: process.argv[1], pid: process.pid });
  writeFileSync(join(folder, 'claims', encodeURIComponent(file)), claim, { flag: 'wx' });
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

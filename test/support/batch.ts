import { writeFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';

type TestFile = readonly [file: string, load: () => Promise<unknown>];

/**
 * Runs several test files in this process, because loading the library takes longer than most files. An empty suite
 * before each file is its heading in the report. Each file begins with the environment of the process, also if a test
 * of an earlier one has changed it.
 */
export async function playFiles(files: readonly TestFile[]): Promise<void> {
  let loaded: () => void = () => undefined;
  const loading = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  // Without it, the hooks that end a process would run after the tests of the first files.
  before(() => loading);
  failUnlessEnded();
  const environment = { ...process.env };
  const restoreEnvironment = () => {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
    Object.assign(process.env, environment);
  };
  for (const [file, load] of files) {
    describe(file, () => before(restoreEnvironment));
    await load();
  }
  loaded();
}

/** Fails if the process exits before its last test: `node --test` sees only the exit code. */
function failUnlessEnded(): void {
  const { PARLANCE_TEST_FOLDER: folder } = process.env;
  let hasEnded = false;
  after(() => {
    hasEnded = true;
  });
  process.on('exit', () => {
    if (hasEnded) return;
    console.error('The process ended before its last test.');
    process.exitCode = 1;
    // Any file of the process may have ended it, so none can be played again alone.
    if (folder) writeFileSync(`${folder}/uncaught`, '');
  });
}

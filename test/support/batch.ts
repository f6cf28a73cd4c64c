import { before, describe } from 'node:test';

/**
 * Runs several test files in this process: loading the library takes longer than most files. An empty suite before each
 * file is its heading in the report.
 */
export async function playFiles(files: readonly string[]): Promise<void> {
  let loaded: () => void = () => undefined;
  const loading = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  // Otherwise the hooks that end a process would run when the tests of the first files are done.
  before(() => loading);
  for (const file of files) {
    describe(file, () => undefined);
    // One after another: on Node 22 some of many imports at once of files that share others never end.
    await import(new URL(`../../${file}`, import.meta.url).href);
  }
  loaded();
}

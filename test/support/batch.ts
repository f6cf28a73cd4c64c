import { describe } from 'node:test';

/**
 * Runs several test files in this process: loading the library takes longer than most files. An empty suite before each
 * file is its heading in the report.
 */
export async function playFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    describe(file, () => undefined);
    // One after another: on Node 22 some of many imports at once of files that share others never end.
    await import(new URL(`../../${file}`, import.meta.url).href);
  }
}

import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './failure.ts';

/**
 * Checks that a file can be written, before the work to create its content.
 * @throws UsageError if the path is a folder, or its folder is missing or not writable
 */
export function checkCanWrite(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${path} is a folder.`, 'Name a file in it.');
  }
  const folder = dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`,
      `Check that the folder ${folder} exists and that you may write to it.`,
    );
  }
}

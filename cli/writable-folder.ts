import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './failure.ts';

/**
 * Before a file is made that costs work.
 * @throws UsageError where its folder is not there or takes no files, or a folder stands in its place
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
      `${path} cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
      `Check that the folder ${folder} is there and that you may write in it.`,
    );
  }
}

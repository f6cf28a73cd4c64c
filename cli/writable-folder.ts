import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './failure.ts';

/**
 * Before a file is made that costs work.
 * @throws UsageError where its folder is not there or takes no files
 */
export function checkCanWrite(path: string): void {
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

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { largeExport } from './large-export.ts';
import { zipFile } from './zip-file.ts';

/** Writes exports under the names that the documents use. All of their rows are valid. */
export async function writeExports(folder: string): Promise<void> {
  await writeFile(join(folder, 'export.zip'), zipFile(largeExport(200)));
}

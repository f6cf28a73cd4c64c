import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/** Waits until the files in a folder have this many bytes together, or more. Also counts those of running requests. */
export async function untilBytes(folder: string, bytes: number): Promise<void> {
  const stored = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  await until(`${bytes} bytes are stored`, async () => (await stored()) >= bytes);
}

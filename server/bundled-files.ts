import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotFound } from '../lib/internal.ts';

/**
 * The place of a file that the build puts next to the server code. If a bundler has moved the code, the file is in the
 * installed package.
 * @param folder of `dist`
 * @throws NotFound if a bundler has omitted the files
 */
export function bundledFile(folder: 'pages' | 'web', name: string): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), folder, name);
  if (existsSync(beside)) return beside;
  try {
    const manifest = createRequire(import.meta.url).resolve('parlance/package.json');
    const installed = join(dirname(manifest), 'dist', folder, name);
    if (existsSync(installed)) return installed;
  } catch {
    // The bundle does not include the package.
  }
  const path = folder === 'web' ? `/static/${name}` : `/${name}`;
  throw new NotFound(`${path}: the bundle does not include this file. Copy parlance/dist/${folder} next to the bundle`);
}

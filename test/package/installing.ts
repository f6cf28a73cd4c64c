import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the package that `npm publish` would upload, with other packages. Runs no install scripts. */
export async function installPackage(folder: string, ...others: string[]): Promise<void> {
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', packing, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "version": "1.0.0", "private": true }');
  const installing = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...installing, join(folder, filename), ...others], { cwd: folder, timeout: 300_000 });
  await takeCompiledSqlite(folder);
}

/** Compiling SQLite takes a minute and does not test this package, so the project's copy is used. */
async function takeCompiledSqlite(folder: string): Promise<void> {
  const from = join(ROOT, 'node_modules/better-sqlite3');
  const to = join(folder, 'node_modules/better-sqlite3');
  const versionOf = async (path: string) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8')).version;
  if ((await versionOf(from)) === (await versionOf(to)))
    await cp(join(from, 'build'), join(to, 'build'), { recursive: true });
  else await run('npm', ['rebuild', 'better-sqlite3'], { cwd: folder });
}

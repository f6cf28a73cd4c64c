import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApiDocument } from '../../lib/internal.ts';

const execute = promisify(execFile);

/** Keeps the installed programs for the next run. `PARLANCE_CLIENTS_CACHE` names another folder. */
export const CACHE =
  process.env.PARLANCE_CLIENTS_CACHE ?? fileURLToPath(new URL('../../.cache/clients/', import.meta.url));
export const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));

const MINUTE = 60_000;

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Default 20. */
  minutes?: number;
}

/** Runs a program to its end. Fails with the end of its output. */
export async function run(program: string, args: readonly string[], { cwd, env, minutes = 20 }: RunOptions = {}) {
  try {
    const { stdout } = await execute(program, args, {
      cwd: cwd ?? CACHE,
      env: { ...process.env, ...env },
      timeout: minutes * MINUTE,
      killSignal: 'SIGKILL',
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error as Record<string, string>;
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-60).join('\n');
    throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${said}`);
  }
}

/** How each program shows that tests can use it. Debian has Python without its venv module. */
const PROBES = { python3: ['-c', 'import ensurepip, venv'], java: ['-version'], go: ['version'] } as const;

/** A reason to skip tests, if the machine does not have a program. */
export function missing(...programs: readonly (keyof typeof PROBES)[]): string | false {
  const absent = programs.filter((program) => spawnSync(program, PROBES[program]).status !== 0);
  return absent.length > 0 && `there is no ${absent.join(' and no ')} here`;
}

/** A virtual environment with these packages. Returns its folder of programs. */
export async function pythonPackages(name: string, ...packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, name);
  const bin = join(folder, 'bin');
  await once(folder, packages, async () => {
    await run('python3', ['-m', 'venv', folder]);
    // Some declare that they do not support this Python, although they run on it.
    const options = ['--quiet', '--disable-pip-version-check', '--ignore-requires-python'];
    await run(join(bin, 'pip'), ['install', ...options, ...packages]);
  });
  return bin;
}

/** A folder with these packages in its `node_modules`. */
export async function nodePackages(name: string, ...packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, name);
  await once(folder, packages, async () => {
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder });
  });
  return folder;
}

/** Skipped if an earlier run has installed these versions. */
async function once(folder: string, packages: readonly string[], install: () => Promise<void>): Promise<void> {
  const stamp = join(folder, 'installed.txt');
  const wanted = packages.join('\n');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await install();
  await writeFile(stamp, wanted);
}

/** An empty folder for output. */
export async function emptyFolder(name: string): Promise<string> {
  const folder = join(CACHE, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Writes the OpenAPI description with the address of a server. Returns the path of the file. */
export async function writeDocument(url: string): Promise<string> {
  const file = join(CACHE, 'openapi.json');
  await mkdir(CACHE, { recursive: true });
  await writeFile(file, JSON.stringify({ ...openApiDocument(), servers: [{ url: `${url}/api/v1` }] }, null, 2));
  return file;
}

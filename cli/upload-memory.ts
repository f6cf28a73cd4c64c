import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { UploadMemory } from '../lib/index.ts';

/** Servers keep what was begun for a day. */
const KEPT_MS = 2 * 86_400_000;

/**
 * What is known between two commands of the upload of a file, as long as the file stays as it is: a small file in the
 * folder for caches. Without such a folder it is not known, and the file is sent from its beginning.
 */
export function uploadMemory(path: string, size: number, modifiedMs: number, env = process.env): UploadMemory {
  const folder = join(cacheFolder(env), 'chatctl', 'uploads');
  const placeFor = (site: string) => {
    const key = JSON.stringify([site, path, size, modifiedMs]);
    return join(folder, createHash('sha256').update(key).digest('hex'));
  };
  return {
    async find(site) {
      const text = await readFile(placeFor(site), 'utf8').catch(() => '');
      return URL.canParse(text.trim()) ? text.trim() : undefined;
    },
    async keep(site, address) {
      try {
        const { makeFolder } = await import('../lib/internal.ts');
        await makeFolder(folder, 0o700);
        await forgetOld(folder);
        await writeFile(placeFor(site), `${address}\n`, { mode: 0o600 });
      } catch {
        // It can be sent all the same.
      }
    },
    async forget(site) {
      await rm(placeFor(site), { force: true }).catch(() => undefined);
    },
  };
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  return join(env.HOME || homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}

async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { force: true });
  }
}

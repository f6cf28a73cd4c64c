import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { UploadMemory } from '../lib/index.ts';

/** Servers keep an unfinished upload for 1 day. */
const KEPT_MS = 2 * 86_400_000;

/**
 * Saves the address of an unfinished upload in the cache folder, so that the next command can resume it. A changed
 * file, or a missing cache folder, means that the upload starts from the beginning.
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
        // The upload works without it.
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

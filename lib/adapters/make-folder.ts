import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Resolves to the topmost new folder. Not `mkdir` with `recursive`: it never returns
 * on file systems that answer ENOENT, like /proc.
 * @throws the error of the system if a folder cannot be created
 */
export async function makeFolder(path: string, mode: number, attempts = 3): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const parent = dirname(path);
  const made = parent === path ? undefined : await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process has removed the empty parent: create it again.
    if (code === 'ENOENT' && attempts > 1) return makeFolder(path, mode, attempts - 1);
    // Another process may have created it.
    if (code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
  return made ?? path;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

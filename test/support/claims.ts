import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/base/caught.ts';

/** A file that a process of a run plays or has played. */
interface Claim {
  file: string;
  program: string | undefined;
  pid: number;
}

const placeOf = (folder: string) => join(folder, 'claims');

/** Claims a file for this process. False if another process of the run has it. */
export function claim(folder: string, file: string): boolean {
  const own: Claim = { file, program: process.argv[1], pid: process.pid };
  try {
    writeFileSync(join(placeOf(folder), encodeURIComponent(file)), JSON.stringify(own), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** All claims of a run. `at`: milliseconds since 1970. */
export function claimsIn(folder: string): (Claim & { at: number })[] {
  return readdirSync(placeOf(folder)).map((name) => {
    const path = join(placeOf(folder), name);
    return { ...JSON.parse(readFileSync(path, 'utf8')), at: statSync(path).mtimeMs };
  });
}

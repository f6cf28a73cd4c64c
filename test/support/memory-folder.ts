import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Bytes that the largest tests need at a time, with room to spare. */
const NEEDED = 1024 ** 3;

/** Where files are in memory, if the system has such a folder with room: most tests need not wait for a disk. */
export function memoryFolder(): string {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}

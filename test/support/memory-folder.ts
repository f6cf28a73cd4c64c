import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Bytes that the largest tests use at a time, plus a reserve. */
const NEEDED = 1024 ** 3;

/** A folder in memory, if the system has one with enough space: most tests need not wait for a disk. */
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

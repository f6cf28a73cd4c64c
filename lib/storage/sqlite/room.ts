import { randomBytes } from 'node:crypto';
import { access, constants, open, statfs, unlink } from 'node:fs/promises';

/** Bytes that are free where nobody need doubt that the file can grow. */
const PLENTY = 1024 * 1024;
/** Bytes that are tried: some pages of the database and of its log. */
const TRIED = 64 * 1024;

/**
 * Asks the system whether the file of a database can be written and grow, which costs two calls. Where little is free
 * it is tried beside it, since root may have what is reserved: in a file that loses its name before anything is in it,
 * so that nothing can be left of it.
 * @throws the system's error where it cannot
 */
export async function checkRoom(path: string): Promise<void> {
  await access(path, constants.W_OK);
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= PLENTY) return;
  const trial = `${path}.${randomBytes(6).toString('hex')}.trial`;
  const file = await open(trial, 'wx', 0o600);
  try {
    await unlink(trial);
    await file.writeFile(Buffer.alloc(TRIED));
    await file.sync();
  } finally {
    await file.close();
  }
}

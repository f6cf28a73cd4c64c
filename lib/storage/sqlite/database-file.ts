import { randomBytes } from 'node:crypto';
import { access, constants, open, statfs, unlink } from 'node:fs/promises';
import type { SqliteConnection } from './connection.ts';

const POLL_MS = 200;

/**
 * Calls `onCommit` after commits of other connections. They change `PRAGMA data_version`, which our own commits do not.
 * @param isBusy while true, the connection is in a transaction and must not read the number
 * @returns a function that ends this
 */
export function watchForeignCommits(
  connection: SqliteConnection,
  { isBusy, onCommit }: { isBusy: () => boolean; onCommit: () => void },
): () => void {
  let version = connection.pragma('data_version');
  const look = () => {
    if (isBusy()) return;
    try {
      const found = connection.pragma('data_version');
      if (found === version) return;
      version = found;
    } catch {
      // Locked for a moment. The next check finds the commit.
      return;
    }
    onCommit();
  };
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** With this many free bytes, the file can certainly grow. */
const MIN_FREE_BYTES = 1024 * 1024;
/** Bytes of the test write: some pages of the database and of its log. */
const TEST_WRITE_BYTES = 64 * 1024;

/**
 * Checks with two system calls whether a database file can be written and grow. If little space is free, makes a test
 * write, since root may use reserved blocks. The test file is unlinked before the write, so a crash leaves nothing.
 * @throws the error of the system if the file cannot grow
 */
export async function checkDiskSpace(path: string): Promise<void> {
  await access(path, constants.W_OK);
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= MIN_FREE_BYTES) return;
  const trial = `${path}.${randomBytes(6).toString('hex')}.trial`;
  const file = await open(trial, 'wx', 0o600);
  try {
    await unlink(trial);
    await file.writeFile(Buffer.alloc(TEST_WRITE_BYTES));
    await file.sync();
  } finally {
    await file.close();
  }
}

import { randomBytes } from 'node:crypto';
import { access, constants, open, statfs, unlink } from 'node:fs/promises';
import type { SqliteConnection } from './connection.ts';

const POLL_MS = 200;

/** Notices commits of other connections by `PRAGMA data_version`, which our own commits do not change. */
export class ForeignCommits {
  readonly #connection: SqliteConnection;
  readonly #isBusy: () => boolean;
  readonly #onCommit: () => void;
  readonly #timer: NodeJS.Timeout;
  #version: unknown;

  /** @param isBusy while true, the connection is in a transaction and must not read the number */
  constructor(connection: SqliteConnection, isBusy: () => boolean, onCommit: () => void) {
    this.#connection = connection;
    this.#isBusy = isBusy;
    this.#onCommit = onCommit;
    this.#version = connection.pragma('data_version');
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#isBusy()) return;
    let version: unknown;
    try {
      version = this.#connection.pragma('data_version');
    } catch {
      // Locked for a moment. The next check finds the commit.
      return;
    }
    if (version === this.#version) return;
    this.#version = version;
    this.#onCommit();
  }
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

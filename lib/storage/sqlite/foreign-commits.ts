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

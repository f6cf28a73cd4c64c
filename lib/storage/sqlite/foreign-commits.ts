import type { SqliteConnection } from './connection.ts';

const POLL_MS = 200;

/** Notices commits of other connections to the file, by a number that our own commits leave as it is. */
export class ForeignCommits {
  readonly #connection: SqliteConnection;
  readonly #isBusy: () => boolean;
  readonly #onCommit: () => void;
  readonly #timer: NodeJS.Timeout;
  #version: unknown;

  /** While the connection `isBusy` the number may wait; it is not asked for inside a transaction. */
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
      // Locked for a moment: the next look will tell.
      return;
    }
    if (version === this.#version) return;
    this.#version = version;
    this.#onCommit();
  }
}

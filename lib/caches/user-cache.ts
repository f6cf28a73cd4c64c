import type { Transaction, User } from '../storage/storage.ts';

/** More accounts than this are not kept. */
const MOST = 10_000;

/**
 * Accounts as they were read lately, all as of one `users_version`. Whoever asks has read that version
 * in their own transaction, so what they get is what the transaction would have read.
 */
export class UserCache {
  #version = -1;
  readonly #users = new Map<number, User>();

  get(id: number, version: number): User | undefined {
    return version === this.#version ? this.#users.get(id) : undefined;
  }

  /** Takes only what has been committed: the version of a change that was rolled back is used again. */
  keep(user: User, version: number): void {
    if (version < this.#version) return;
    if (version > this.#version || this.#users.size >= MOST) this.#users.clear();
    this.#version = version;
    this.#users.set(user.id, user);
  }

  /** The account, in a transaction that only reads. */
  async read(tx: Transaction, id: number, version: number): Promise<User | undefined> {
    const known = this.get(id, version);
    if (known) return known;
    const user = await tx.users.byId(id);
    if (user) this.keep(user, version);
    return user;
  }
}

import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { VersionedCache } from './versioned-cache.ts';

/** Accounts as they were read lately, all as of one `users_version`. */
export class UserCache {
  readonly #users = new VersionedCache<number, User>(10_000);

  get(id: number, version: number): User | undefined {
    return this.#users.get(version, id);
  }

  /** Takes only what has been committed. */
  keep(user: User, version: number): void {
    this.#users.keep(version, user.id, user);
  }

  /** The account, in a transaction that only reads. */
  async read(tx: Transaction, id: number, version: number): Promise<User | undefined> {
    const cached = this.get(id, version);
    if (cached) return cached;
    const user = await tx.users.byId(id);
    if (user) this.keep(user, version);
    return user;
  }
}

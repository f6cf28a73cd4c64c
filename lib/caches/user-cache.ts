import { fold } from '../rules/fold.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { VersionedCache } from './versioned-cache.ts';

/** Beyond this number, the cache is cleared and filled again. */
const MAX_USERS = 20_000;

/** Recently read accounts, by ID and by address, all of one `users_version`. */
export class UserCache {
  readonly #users = new VersionedCache<number, User>(MAX_USERS);
  readonly #ids = new VersionedCache<string, number>(MAX_USERS);

  /** The account. `version` is the `users_version` of the transaction. */
  async byId(tx: Transaction, id: number, version: number): Promise<User | undefined> {
    return this.#users.get(version, id) ?? (await tx.users.byId(id));
  }

  /** The account with this real address. */
  async byAddress(tx: Transaction, address: string, version: number): Promise<User | undefined> {
    const id = this.#ids.get(version, fold(address));
    return (id === undefined ? undefined : this.#users.get(version, id)) ?? (await tx.users.byEmail(address));
  }

  /**
   * Call it only with committed data. Ignores records newer than the version: a concurrent writer may have changed a
   * record after this transaction has read the version.
   */
  keep(user: User, version: number): void {
    if (user.version > version || this.#users.get(version, user.id) === user) return;
    this.#users.keep(version, user.id, user);
    this.#ids.keep(version, fold(user.delivery_email), user.id);
  }
}

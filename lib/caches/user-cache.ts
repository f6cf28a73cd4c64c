import { fold } from '../rules/fold.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { VersionedCache } from './versioned-cache.ts';

/** More than this many people who are there at a time begin anew with every so many of them. */
const MAX_USERS = 20_000;

/** Accounts as they were read lately, by id and by address, all as of one `users_version`. */
export class UserCache {
  readonly #users = new VersionedCache<number, User>(MAX_USERS);
  readonly #ids = new VersionedCache<string, number>(MAX_USERS);

  /** The account, in a transaction whose `users_version` is this one. */
  async byId(tx: Transaction, id: number, version: number): Promise<User | undefined> {
    return this.#users.get(version, id) ?? (await tx.users.byId(id));
  }

  /** Likewise by the real address. */
  async byAddress(tx: Transaction, address: string, version: number): Promise<User | undefined> {
    const id = this.#ids.get(version, fold(address));
    return (id === undefined ? undefined : this.#users.get(version, id)) ?? (await tx.users.byEmail(address));
  }

  /**
   * Takes only what has been committed, and nothing newer than the version: where writers run side by side,
   * one that has read the version may read a record that another has changed since.
   */
  keep(user: User, version: number): void {
    if (user.version > version || this.#users.get(version, user.id) === user) return;
    this.#users.keep(version, user.id, user);
    this.#ids.keep(version, fold(user.delivery_email), user.id);
  }
}

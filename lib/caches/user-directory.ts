import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { UserList } from './user-list.ts';

/**
 * Cache of the newest list of accounts. For a newer or older snapshot, only the differences are read and serialized.
 * The result is always what the transaction itself would have read. An older snapshot never replaces a newer list.
 */
export class UserDirectory {
  #newest: UserList | undefined;

  clear(): void {
    this.#newest = undefined;
  }

  /** All accounts in the snapshot of a read transaction with these versions and this organization. */
  async at(
    tx: Transaction,
    { users_version }: Pick<Versions, 'users_version'>,
    organization: Organization,
  ): Promise<UserList> {
    const kept = this.#newest;
    if (kept?.isAt(users_version, organization)) return kept;
    const users = await usersAt(tx, users_version, kept);
    // A concurrent transaction may have stored the same or a newer list.
    if (this.#newest?.isAt(users_version, organization)) return this.#newest;
    const list = new UserList(users, users_version, organization, kept);
    if (!this.#newest || list.isNewerThan(this.#newest)) this.#newest = list;
    return list;
  }
}

/** Ordered by ID. */
async function usersAt(tx: Transaction, version: number, kept: UserList | undefined): Promise<Map<number, User>> {
  const users = new Map(kept?.users);
  if (!kept || kept.usersVersion < version) {
    for (const user of await tx.users.changedSince(kept?.usersVersion ?? 0)) users.set(user.id, user);
  } else if (kept.usersVersion > version) {
    const later = [...kept.users.values()].filter((user) => user.version > version).map((user) => user.id);
    const earlier = new Map((await tx.users.byIds(later)).map((user) => [user.id, user]));
    for (const id of later) {
      const user = earlier.get(id);
      if (user) users.set(id, user);
      else users.delete(id);
    }
  }
  return users;
}

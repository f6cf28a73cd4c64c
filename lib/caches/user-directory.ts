import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { UserList } from './user-list.ts';

/**
 * The newest list of accounts that was read. Only what differs from it is read and serialized again, for
 * a snapshot newer than it as for an older one: what is handed out is what the transaction itself would
 * have read, and an older snapshot never replaces a newer list.
 */
export class UserDirectory {
  #newest: UserList | undefined;

  clear(): void {
    this.#newest = undefined;
  }

  /** All accounts in the snapshot of a transaction that only reads, whose versions and organization these are. */
  async at(
    tx: Transaction,
    { users_version }: Pick<Versions, 'users_version'>,
    organization: Organization,
  ): Promise<UserList> {
    const kept = this.#newest;
    if (kept?.isAt(users_version, organization)) return kept;
    const users = await usersAt(tx, users_version, kept);
    // Others may have kept a newer one while this one was read, or the same.
    if (this.#newest?.isAt(users_version, organization)) return this.#newest;
    const list = new UserList(users, users_version, organization, kept);
    if (!this.#newest || list.isNewerThan(this.#newest)) this.#newest = list;
    return list;
  }
}

/** Ordered by id. */
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

import { joinedJson, type RawJson } from '../base/raw-json.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { roleSeesEmail, type UserObject, type UserViewOptions, userView, type Viewer } from './user-view.ts';

interface Selection {
  systemBots?: boolean;
  active?: boolean;
  /** Includes the external IDs if the viewer may see them. */
  externalIds?: boolean;
}

/** All accounts of one snapshot, with cached JSON for each class of viewers. */
export class UserList {
  /**
   * JSON of accounts, by class of viewers who see the same of every account except their own. A changed account is a
   * new record. Shared with other lists of the same organization.
   */
  readonly #fragments: Map<string, WeakMap<User, Buffer>>;
  readonly #joined = new Map<string, RawJson<UserObject[]>>();

  /** @param other a list whose cached JSON may be reused */
  constructor(
    readonly users: ReadonlyMap<number, User>,
    readonly usersVersion: number,
    readonly organization: Organization,
    other: UserList | undefined,
  ) {
    this.#fragments = other && isSame(other.organization, organization) ? other.#fragments : new Map();
  }

  isAt(usersVersion: number, organization: Organization): boolean {
    return this.usersVersion === usersVersion && isSame(this.organization, organization);
  }

  isNewerThan(other: UserList): boolean {
    return this.usersVersion >= other.usersVersion && this.organization.version >= other.organization.version;
  }

  all(): User[] {
    return [...this.users.values()];
  }

  json(
    viewer: Viewer,
    options: UserViewOptions,
    { systemBots = false, active, externalIds = false }: Selection,
  ): RawJson<UserObject[]> {
    const { client_gravatar, include_custom_profile_fields } = options;
    const className = `${viewer?.role}:${client_gravatar}:${include_custom_profile_fields}:${externalIds}`;
    const own = viewer && this.users.get(viewer.id);
    // Users see their own address even if it is hidden from their role.
    const ownDiffers = own !== undefined && own.bot_type === null && !roleSeesEmail(own.email_visibility, own.role);
    const key = `${className}:${systemBots}:${active ?? ''}`;
    const joined = ownDiffers ? undefined : this.#joined.get(key);
    if (joined) return joined;
    const fragments = this.#fragments.get(className) ?? new WeakMap<User, Buffer>();
    this.#fragments.set(className, fragments);
    // An ID that no account has, so that the cached JSON contains no user's own address.
    const anybody = viewer && { id: -1, role: viewer.role };
    const jsonFor = (actor: Viewer, user: User) => {
      const asker = { actor, organization: this.organization };
      return Buffer.from(JSON.stringify(userView(asker, user, { ...options, include_external_ids: externalIds })));
    };
    const elements: Buffer[] = [];
    for (const user of this.users.values()) {
      if (user.is_system_bot !== systemBots || (active !== undefined && user.is_active !== active)) continue;
      const isOwn = ownDiffers && user.id === own.id;
      const element = isOwn ? jsonFor(viewer, user) : (fragments.get(user) ?? jsonFor(anybody, user));
      if (!isOwn) fragments.set(user, element);
      elements.push(element);
    }
    const list = joinedJson<UserObject[]>('[]', elements);
    if (!ownDiffers) this.#joined.set(key, list);
    return list;
  }
}

/** The JSON of accounts depends on the organization record and on the path of avatars. */
function isSame(one: Organization, other: Organization): boolean {
  return one.version === other.version && one.site_path === other.site_path;
}

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
  async at(tx: Transaction, { users_version }: Pick<Versions, 'users_version'>, organization: Organization) {
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

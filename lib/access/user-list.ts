import { joinedJson, type RawJson } from '../base/raw-json.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { EmailVisibility, Role, User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { roleSeesEmail, type UserObject, type UserViewOptions, userView, type Viewer } from './user-view.ts';

/** A class of viewers who see the same data of every account except their own. */
interface ViewerClass {
  /** JSON by record. A changed account is a new record. */
  fragments: WeakMap<User, Buffer>;
  viewer: Viewer;
  options: UserViewOptions;
}

interface Selection {
  systemBots?: boolean;
  active?: boolean;
}

/** All accounts of one snapshot, with cached JSON for each class of viewers. */
export class UserList {
  /** Shared with other lists of the same organization. */
  readonly #classes: Map<string, ViewerClass>;
  readonly #joined = new Map<string, RawJson<UserObject[]>>();

  /** @param other a list whose cached JSON may be reused */
  constructor(
    readonly users: ReadonlyMap<number, User>,
    readonly usersVersion: number,
    readonly organization: Organization,
    other: UserList | undefined,
  ) {
    this.#classes = other && isSame(other.organization, organization) ? other.#classes : new Map();
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

  json(viewer: Viewer, options: UserViewOptions, selection: Selection): RawJson<UserObject[]> {
    const [className, viewerClass] = this.#classFor(viewer, options);
    const own = viewer && this.users.get(viewer.id);
    // Users see their own address even if it is hidden from their role.
    const ownDiffers = own !== undefined && own.bot_type === null && !roleSeesEmail(own.email_visibility, own.role);
    const key = `${className}:${selection.systemBots ?? false}:${selection.active ?? ''}`;
    if (!ownDiffers) {
      const joined = this.#joined.get(key);
      if (joined) return joined;
    }
    const elements: Buffer[] = [];
    for (const user of this.users.values()) {
      if (user.is_system_bot !== (selection.systemBots ?? false)) continue;
      if (selection.active !== undefined && user.is_active !== selection.active) continue;
      const isOwn = ownDiffers && user.id === own.id;
      elements.push(isOwn ? fragment(user, viewer, this.organization, options) : this.#fragment(viewerClass, user));
    }
    const list = joinedJson<UserObject[]>('[]', elements);
    if (!ownDiffers) this.#joined.set(key, list);
    return list;
  }

  #fragment(viewerClass: ViewerClass, user: User): Buffer {
    let bytes = viewerClass.fragments.get(user);
    if (!bytes) {
      bytes = fragment(user, viewerClass.viewer, this.organization, viewerClass.options);
      viewerClass.fragments.set(user, bytes);
    }
    return bytes;
  }

  #classFor(viewer: Viewer, options: UserViewOptions): [name: string, ViewerClass] {
    const role = viewer?.role;
    const visible = VISIBILITIES.filter((visibility) => roleSeesEmail(visibility, role)).join('');
    const name = `${viewer === undefined ? 'anonymous' : visible}:${options.client_gravatar}:${options.include_custom_profile_fields}`;
    let found = this.#classes.get(name);
    if (!found) {
      // An ID that no account has, so that the JSON contains no user's own address.
      const anybody = role === undefined ? undefined : { id: -1, role: role as Role };
      found = { fragments: new WeakMap(), viewer: anybody, options: { ...options } };
      this.#classes.set(name, found);
    }
    return [name, found];
  }
}

/** The JSON of accounts depends on the organization record and on the path of avatars. */
function isSame(one: Organization, other: Organization): boolean {
  return one.version === other.version && one.site_path === other.site_path;
}

const VISIBILITIES: readonly EmailVisibility[] = [1, 2, 3, 4, 5];

function fragment(user: User, viewer: Viewer, organization: Organization, options: UserViewOptions): Buffer {
  return Buffer.from(JSON.stringify(userView(user, viewer, organization, options)));
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

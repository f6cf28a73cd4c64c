import { roleSeesEmail, type UserObject, type UserViewOptions, userView, type Viewer } from '../access/user-view.ts';
import { RawJson } from '../kernel/raw-json.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { EmailVisibility, Role, User } from '../storage/interface/users.ts';

/** A kind of viewer to whom every account looks the same, but for the viewer's own. */
interface ViewerClass {
  /** By record: an account that changed has another one, in a newer list as in an older. */
  fragments: WeakMap<User, Buffer>;
  viewer: Viewer;
  options: UserViewOptions;
}

export interface Selection {
  systemBots?: boolean;
  active?: boolean;
}

/** All accounts of the organization as one snapshot has them, with their JSON as bytes for each kind of viewer. */
export class UserList {
  readonly users: ReadonlyMap<number, User>;
  readonly usersVersion: number;
  /** As of the same snapshot. */
  readonly organization: Organization;
  /** Shared with other lists of the same organization. */
  readonly #classes: Map<string, ViewerClass>;
  /** The accounts of a selection as one JSON array, for a class of viewers. */
  readonly #joined = new Map<string, RawJson<UserObject[]>>();

  /**
   * @param users ordered by id, system bots included
   * @param other a list whose bytes may be used as far as they are the same
   */
  constructor(
    users: ReadonlyMap<number, User>,
    usersVersion: number,
    organization: Organization,
    other: UserList | undefined,
  ) {
    this.users = users;
    this.usersVersion = usersVersion;
    this.organization = organization;
    this.#classes = other && isSame(other.organization, organization) ? other.#classes : new Map();
  }

  isAt(usersVersion: number, organization: Organization): boolean {
    return this.usersVersion === usersVersion && isSame(this.organization, organization);
  }

  isNewerThan(other: UserList): boolean {
    return this.usersVersion >= other.usersVersion && this.organization.version >= other.organization.version;
  }

  /** Every account, ordered by id, system bots included. */
  all(): User[] {
    return [...this.users.values()];
  }

  /** The JSON array of the accounts selected, as the viewer sees them. */
  json(viewer: Viewer, options: UserViewOptions, selection: Selection): RawJson<UserObject[]> {
    const [className, viewerClass] = this.#classFor(viewer, options);
    const own = viewer && this.users.get(viewer.id);
    // One's own address is visible to oneself even where it is hidden from one's role.
    const ownDiffers = own !== undefined && own.bot_type === null && !roleSeesEmail(own.email_visibility, own.role);
    const key = `${className}:${selection.systemBots ?? false}:${selection.active ?? ''}`;
    if (!ownDiffers) {
      const joined = this.#joined.get(key);
      if (joined) return joined;
    }
    const parts: Buffer[] = [];
    for (const user of this.users.values()) {
      if (user.is_system_bot !== (selection.systemBots ?? false)) continue;
      if (selection.active !== undefined && user.is_active !== selection.active) continue;
      const isOwn = ownDiffers && user.id === own.id;
      parts.push(isOwn ? fragment(user, viewer, this.organization, options) : this.#fragment(viewerClass, user));
    }
    const list = new RawJson<UserObject[]>(joinArray(parts));
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
      // An id that no account has: nobody's own address shows through.
      const anybody = role === undefined ? undefined : { id: -1, role: role as Role };
      found = { fragments: new WeakMap(), viewer: anybody, options: { ...options } };
      this.#classes.set(name, found);
    }
    return [name, found];
  }
}

/** What accounts look like follows from the record, and from where the process shows their pictures. */
function isSame(one: Organization, other: Organization): boolean {
  return one.version === other.version && one.site_path === other.site_path;
}

const VISIBILITIES: readonly EmailVisibility[] = [1, 2, 3, 4, 5];
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');

function fragment(user: User, viewer: Viewer, organization: Organization, options: UserViewOptions): Buffer {
  return Buffer.from(JSON.stringify(userView(user, viewer, organization, options)));
}

function joinArray(parts: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [OPEN];
  parts.forEach((part, index) => {
    if (index > 0) pieces.push(COMMA);
    pieces.push(part);
  });
  pieces.push(CLOSE);
  return Buffer.concat(pieces);
}

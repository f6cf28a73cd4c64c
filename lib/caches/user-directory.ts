import { roleSeesEmail, type UserObject, type UserViewOptions, userView, type Viewer } from '../access/user-view.ts';
import { RawJson } from '../kernel/raw-json.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { EmailVisibility, Role, User } from '../storage/interface/users.ts';

/** A kind of viewer to whom every account looks the same, but for the viewer's own. */
interface ViewerClass {
  fragments: Map<number, Buffer>;
  /** All fragments as one JSON array; dropped when an account changes. */
  joined: Map<string, RawJson<UserObject[]>>;
  viewer: Viewer;
  options: UserViewOptions;
}

export interface Selection {
  systemBots?: boolean;
  active?: boolean;
}

/**
 * All accounts of the organization in memory, with their JSON as bytes for each kind of viewer. Only
 * accounts changed since the last look are read and serialized again.
 */
export class UserDirectory {
  #version = 0;
  #organizationVersion = -1;
  readonly #users = new Map<number, User>();
  readonly #classes = new Map<string, ViewerClass>();

  /** Brings the directory up to the snapshot of a read transaction. */
  async refresh(tx: Transaction, organization: Organization): Promise<void> {
    const changed = await tx.users.changedSince(this.#version);
    if (organization.version !== this.#organizationVersion) {
      this.#classes.clear();
      this.#organizationVersion = organization.version;
    }
    if (changed.length === 0) return;
    for (const user of changed) {
      this.#users.set(user.id, user);
      this.#version = Math.max(this.#version, user.version);
      for (const viewerClass of this.#classes.values()) viewerClass.fragments.delete(user.id);
    }
    for (const viewerClass of this.#classes.values()) viewerClass.joined.clear();
  }

  /** Every account, system bots included; ordered by id unless accounts were made by several processes at once. */
  all(): IterableIterator<User> {
    return this.#users.values();
  }

  get(id: number): User | undefined {
    return this.#users.get(id);
  }

  /** The JSON array of the accounts selected, as the viewer sees them. */
  list(
    viewer: Viewer,
    organization: Organization,
    options: UserViewOptions,
    selection: Selection,
  ): RawJson<UserObject[]> {
    const viewerClass = this.#classFor(viewer, options);
    const own = viewer && this.#users.get(viewer.id);
    // One's own address is visible to oneself even where it is hidden from one's role.
    const ownDiffers = own !== undefined && own.bot_type === null && !roleSeesEmail(own.email_visibility, own.role);
    const key = `${selection.systemBots ?? false}:${selection.active ?? ''}`;
    if (!ownDiffers) {
      const joined = viewerClass.joined.get(key);
      if (joined) return joined;
    }
    const parts: Buffer[] = [];
    for (const user of this.#users.values()) {
      if (user.is_system_bot !== (selection.systemBots ?? false)) continue;
      if (selection.active !== undefined && user.is_active !== selection.active) continue;
      const isOwn = ownDiffers && user.id === own.id;
      parts.push(
        isOwn ? fragment(user, viewer, organization, options) : this.#fragment(viewerClass, user, organization),
      );
    }
    const list = new RawJson<UserObject[]>(joinArray(parts));
    if (!ownDiffers) viewerClass.joined.set(key, list);
    return list;
  }

  #fragment(viewerClass: ViewerClass, user: User, organization: Organization): Buffer {
    let bytes = viewerClass.fragments.get(user.id);
    if (!bytes) {
      bytes = fragment(user, viewerClass.viewer, organization, viewerClass.options);
      viewerClass.fragments.set(user.id, bytes);
    }
    return bytes;
  }

  #classFor(viewer: Viewer, options: UserViewOptions): ViewerClass {
    const role = viewer?.role;
    const visible = VISIBILITIES.filter((visibility) => roleSeesEmail(visibility, role)).join('');
    const key = `${viewer === undefined ? 'anonymous' : visible}:${options.client_gravatar}:${options.include_custom_profile_fields}`;
    let found = this.#classes.get(key);
    if (!found) {
      // An id that no account has: nobody's own address shows through.
      const anybody = role === undefined ? undefined : { id: -1, role: role as Role };
      found = { fragments: new Map(), joined: new Map(), viewer: anybody, options: { ...options } };
      this.#classes.set(key, found);
    }
    return found;
  }
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

import type { ChannelHead } from '../model/channels.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { emailKey, foldTopic } from '../rules/fold.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { ByWays } from '../storage/interface/notifications.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/**
 * A cache of entries of one version. A newer version, or too many entries, clears it. Callers pass the version that
 * their transaction has read, so they get what the transaction itself would read. Store only committed data: after a
 * rollback, the same version is used again.
 */
export class VersionedCache<K, V> {
  readonly #entries = new Map<K, V>();
  #version = -1;
  #size = 0;

  constructor(private readonly limit: number) {}

  get(version: number, key: K): V | undefined {
    return version === this.#version ? this.#entries.get(key) : undefined;
  }

  /** The entry of a key, of any version. */
  latest(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keep(version: number, key: K, value: V): void {
    if (this.#hasRoom(version, this.#entries.has(key) ? 0 : 1)) this.#entries.set(key, value);
  }

  entry(version: number, key: K, make: () => V): V | undefined {
    if (!this.#hasRoom(version, 1)) return undefined;
    const present = this.#entries.get(key);
    if (present !== undefined) return present;
    const made = make();
    this.#entries.set(key, made);
    return made;
  }

  #hasRoom(version: number, added: number): boolean {
    if (version < this.#version) return false;
    this.#size += added;
    if (version > this.#version || this.#size > this.limit) {
      this.#entries.clear();
      this.#version = version;
      this.#size = 1;
    }
    return true;
  }
}

/** Beyond this number, the cache is cleared and filled again. */
const MAX_USERS = 20_000;

/** Recently read accounts, by ID and by address, all of one `users_version`. */
export class UserCache {
  readonly #users = new VersionedCache<number, User>(MAX_USERS);
  readonly #ids = new VersionedCache<string, number>(MAX_USERS);

  async byId(tx: Transaction, id: number, version: number): Promise<User | undefined> {
    return this.#users.get(version, id) ?? (await tx.users.byId(id));
  }

  async byAddress(tx: Transaction, address: string, version: number): Promise<User | undefined> {
    const id = this.#ids.get(version, emailKey(address));
    return (id === undefined ? undefined : this.#users.get(version, id)) ?? (await tx.users.byEmail(address));
  }

  /**
   * Call it only with committed data. Ignores records newer than the version: a concurrent writer may have changed a
   * record after this transaction has read the version.
   */
  keep(user: User, version: number): void {
    if (user.version > version || this.#users.get(version, user.id) === user) return;
    this.#users.keep(version, user.id, user);
    this.#ids.keep(version, emailKey(user.delivery_email), user.id);
  }
}

/** The organization of the newest committed version. */
export class OrganizationCache {
  #organization: Organization | undefined;

  /** @param baseUrl returns the public address, which may become known later than the organization */
  constructor(private readonly baseUrl: () => string) {}

  async of(tx: Transaction, { version }: Pick<Versions, 'version'>): Promise<Organization> {
    const kept = this.#organization;
    const organization = kept?.version === version ? kept : ((await tx.organization.get()) as Organization);
    const site_path = new URL(this.baseUrl()).pathname.replace(/\/+$/, '');
    // undefined in a transaction before the organization was created.
    return !organization || organization.site_path === site_path ? organization : { ...organization, site_path };
  }

  get newest(): Organization | undefined {
    return this.#organization;
  }

  /** Call it only with committed data. An older version does not replace a newer one. */
  update(organization: Organization): void {
    const kept = this.#organization;
    const isAsNew = organization.version === kept?.version && organization.site_path !== kept.site_path;
    if (isAsNew || organization.version > (kept?.version ?? -1)) this.#organization = organization;
  }
}

/** A channel, with the subscription of the sender and whether it is muted. */
export interface PostingPlace {
  channel: ChannelHead;
  isSubscribed: boolean;
  isMuted: boolean;
}

interface CachedChannel {
  head?: ChannelHead;
  subscriptions: Map<number, Omit<PostingPlace, 'channel'>>;
  /** By folded name. Each has messages: losing them raises the version. */
  topics: Map<string, Conversation>;
}

export class ChannelCache {
  readonly #channels = new VersionedCache<number, CachedChannel>(20_000);

  place(version: number, channelId: number, userId: number): PostingPlace | undefined {
    const cached = this.#channels.get(version, channelId);
    const subscription = cached?.subscriptions.get(userId);
    return cached?.head && subscription ? { channel: cached.head, ...subscription } : undefined;
  }

  keepPlace(version: number, { channel, ...subscription }: PostingPlace, userId: number): void {
    const cached = this.#channels.entry(version, channel.id, nothing);
    if (!cached) return;
    cached.head = channel;
    cached.subscriptions.set(userId, subscription);
  }

  topic(version: number, channelId: number, topic: string): Conversation | undefined {
    return this.#channels.get(version, channelId)?.topics.get(foldTopic(topic));
  }

  keepTopic(version: number, channelId: number, conversation: Conversation): void {
    this.#channels.entry(version, channelId, nothing)?.topics.set(foldTopic(conversation.topic), conversation);
  }

  /** Not versioned: a process with an older day only writes the new one again. */
  keepDay(channelId: number, day: number, messageId: number): void {
    const cached = this.#channels.latest(channelId);
    if (!cached?.head) return;
    const first_message_id = cached.head.first_message_id ?? messageId;
    cached.head = { ...cached.head, last_active_day: day, first_message_id };
  }
}

const nothing = (): CachedChannel => ({ subscriptions: new Map(), topics: new Map() });

const NOBODY: readonly number[] = [];

export class Muters {
  readonly #muters = new VersionedCache<number, readonly number[]>(10_000);

  /** Ordered by ID. `version` is the `readers_version` of the transaction. */
  async of(tx: Transaction, version: number, userId: number, afterCommit: (then: () => void) => void) {
    if (version === 0) return NOBODY;
    const kept = this.#muters.get(version, userId);
    if (kept) return kept;
    const muters = await tx.mutedUsers.mutersOf(userId);
    afterCommit(() => this.#muters.keep(version, userId, muters));
    return muters;
  }
}

/** Two are enough to know whether there is one besides the sender. */
const MAX_REMEMBERED_USERS = 2;

/** The caches use sums of versions: all only rise, so a sum changes whenever one of them changes. */
interface Versioned {
  readonly tx: Transaction;
  readonly channelsVersion: number;
  readonly afterCommit: (then: () => void) => void;
}

/** Some users of a kind, such as subscribers with a phone. Usually, this needs no query. */
class SomeUsers<K> {
  readonly #kept = new VersionedCache<K, readonly number[]>(20_000);

  /** Without a promise if the cache has them: each message asks. */
  of(
    version: number,
    key: K,
    afterCommit: Versioned['afterCommit'],
    find: (limit: number) => Promise<readonly number[]>,
  ): readonly number[] | Promise<readonly number[]> {
    return this.#kept.get(version, key) ?? this.#found(version, key, afterCommit, find);
  }

  async #found(...[version, key, afterCommit, find]: Parameters<SomeUsers<K>['of']>): Promise<readonly number[]> {
    const found = await find(MAX_REMEMBERED_USERS);
    afterCommit(() => this.#kept.keep(version, key, found));
    return found;
  }
}

/** Users with a device for notifications. */
export class PushOwners {
  readonly #owners = new SomeUsers<string>();

  /** Whether one of these users, or a subscriber of the channel, has a device. @param exceptId does not count */
  async isAny(
    { tx, pushVersion, channelsVersion, afterCommit }: Versioned & { readonly pushVersion: number },
    among: { users: readonly number[] } | { channel: number },
    exceptId?: number,
  ): Promise<boolean> {
    if (pushVersion === 0) return false;
    const version = pushVersion + channelsVersion;
    const owners = await this.#owners.of(version, JSON.stringify(among), afterCommit, (limit) =>
      tx.pushDevices.someOwners(among, limit),
    );
    return owners.some((id) => id !== exceptId);
  }
}

/** Users who want a notification of each message of a channel. */
export class ChannelChoosers {
  readonly #choosers = new SomeUsers<number>();

  /** At most two. @param ways of this process, so the same in each call */
  of(
    { tx, usersVersion, channelsVersion, afterCommit }: Versioned & { readonly usersVersion: number },
    channelId: number,
    ways: ByWays,
  ): readonly number[] | Promise<readonly number[]> {
    return this.#choosers.of(usersVersion + channelsVersion, channelId, afterCommit, (limit) =>
      tx.emailNotices.choosers(channelId, limit, ways),
    );
  }
}

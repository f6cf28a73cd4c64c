import { RawJson } from '../base/raw-json.ts';
import type { LastPresence, Presence, User } from '../model/users.ts';
import { latestOf } from '../rules/presence.ts';
import { isBot } from '../rules/roles.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { type PresenceForm, presenceEntry } from './presence-view.ts';
import type { UserList } from './user-list.ts';

/** Longest time before reports are written. */
const WRITE_AFTER_MS = 5_000;

/**
 * Presence of users: stored presences that this process has read, and reports that it has not written yet. At most one
 * entry per account.
 *
 * Clients report every minute, so reports are collected and written together every few seconds, and when the chat
 * closes. A crash loses a few seconds of reports; the next report of each client repeats them. Other processes see a
 * report when it is written.
 *
 * The cache does not belong to one snapshot: it may be newer. Update IDs are never ahead of what was read.
 */
export class PresenceCache {
  readonly #stored = new Map<number, Presence>();
  /** In the order of reading, so ordered by update ID. Some entries are outdated. */
  #history: Presence[] = [];
  readonly #unwritten = new Map<number, LastPresence>();
  /** Written reports, until they are read again: an older snapshot must not hide them. */
  readonly #written = new Map<number, LastPresence>();
  readonly #onDue: () => void;
  #latestId = 0;
  #dueMs: number | undefined;
  #changes = 0;

  /** @param onDue called when the first report waits to be written */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get latestId(): number {
    return this.#latestId;
  }

  get changes(): number {
    return this.#changes;
  }

  /** Time of the next write. undefined if there are no reports. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  /** Reads new presences of all processes. Use a read transaction, which sees only committed data. */
  async catchUp(tx: Transaction): Promise<void> {
    for (const presence of await tx.presences.changedSince(this.#latestId)) this.#take(presence);
  }

  /** Clears stored presences. Unwritten reports stay. */
  clear(): void {
    this.#stored.clear();
    this.#history = [];
    this.#latestId = 0;
    this.#changes++;
  }

  of(userId: number): LastPresence | undefined {
    const stored = this.#stored.get(userId);
    const reported = this.#unwritten.get(userId) ?? this.#written.get(userId);
    return stored && reported ? latestOf(stored, reported) : (reported ?? stored);
  }

  /** Without unread reports: they may be from a user who now hides their presence. */
  storedOf(userId: number): LastPresence | undefined {
    return this.#stored.get(userId);
  }

  /** Users with presences written after this update, or not written yet. */
  changedSince(updateId: number): Set<number> {
    const changed = new Set([...this.#unwritten.keys(), ...this.#written.keys()]);
    for (let at = this.#history.length - 1; at >= 0; at--) {
      const presence = this.#history[at] as Presence;
      if (presence.update_id <= updateId) break;
      changed.add(presence.user_id);
    }
    return changed;
  }

  gather(seen: LastPresence, nowMs: number): void {
    const known = this.of(seen.user_id);
    this.#unwritten.set(seen.user_id, known ? latestOf(seen, known) : seen);
    this.#changes++;
    if (this.#dueMs !== undefined) return;
    this.#dueMs = nowMs + WRITE_AFTER_MS;
    this.#onDue();
  }

  gathered(): LastPresence[] {
    return [...this.#unwritten.values()];
  }

  /** Call it after a write. Drops reports that were not written. Newer reports stay. */
  settle(seen: readonly LastPresence[], isWritten: (one: LastPresence) => boolean, nowMs: number): void {
    for (const one of seen) {
      if (isWritten(one)) this.#written.set(one.user_id, one);
      if (this.#unwritten.get(one.user_id) === one) this.#unwritten.delete(one.user_id);
    }
    this.#changes++;
    this.#dueMs = this.#unwritten.size === 0 ? undefined : nowMs + WRITE_AFTER_MS;
  }

  #take(presence: Presence): void {
    const known = this.#stored.get(presence.user_id);
    // A concurrent transaction may have an older snapshot.
    if (known && known.update_id >= presence.update_id) return;
    this.#stored.set(presence.user_id, presence);
    this.#written.delete(presence.user_id);
    this.#changes++;
    if (presence.update_id >= this.#latestId) this.#history.push(presence);
    else this.#history = [...this.#stored.values()].sort((one, other) => one.update_id - other.update_id);
    this.#latestId = Math.max(this.#latestId, presence.update_id);
    if (this.#history.length > 2 * this.#stored.size + 1_000) {
      this.#history = this.#history.filter((one) => this.#stored.get(one.user_id) === one);
    }
  }
}

interface PresenceSelection {
  form: PresenceForm;
  /** Only presences since this time, in milliseconds. */
  notBeforeMs: number;
  /** Only changes after this update ID. -1: all. */
  afterId: number;
  /** Only these accounts. Default: all. */
  visible?: ReadonlySet<number> | undefined;
}

/** The JSON of one user. Valid as long as `user` and `seen` are the same. */
interface Fragment {
  user: User;
  seen: LastPresence;
  bytes: Buffer;
}

interface JoinedJson {
  accounts: UserList;
  changes: number;
  /** Oldest included presence: the JSON is valid until this one is too old. */
  oldestMs: number;
  notBeforeMs: number;
  json: RawJson<PresencesObject>;
}

type PresencesObject = Record<string, never>;

/** Presences of all users as one JSON object. An entry is the same for all viewers. */
export class PresenceList {
  readonly #cache: PresenceCache;
  readonly #fragments: Record<PresenceForm, Map<number, Fragment>> = { legacy: new Map(), slim: new Map() };
  readonly #joined = new Map<PresenceForm, JoinedJson>();

  constructor(cache: PresenceCache) {
    this.#cache = cache;
  }

  /** The visible presence of a user. undefined for bots and deactivated accounts; stored data if presence is hidden. */
  shownOf(user: User): LastPresence | undefined {
    if (!user.is_active || isBot(user)) return undefined;
    return user.settings.presence_enabled === false ? this.#cache.storedOf(user.id) : this.#cache.of(user.id);
  }

  /** @param accounts the accounts of a read transaction */
  json<T>(accounts: UserList, { form, notBeforeMs, afterId, visible }: PresenceSelection): RawJson<T> {
    const isWhole = afterId < 0 && !visible;
    const joined = isWhole ? this.#joined.get(form) : undefined;
    if (joined && this.#holds(joined, accounts, notBeforeMs)) return joined.json as unknown as RawJson<T>;
    const parts: Buffer[] = [];
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const user of afterId < 0 ? accounts.users.values() : this.#changedSince(accounts, afterId)) {
      if (visible && !visible.has(user.id)) continue;
      const seen = this.shownOf(user);
      if (!seen || seen.connected_ms < notBeforeMs) continue;
      oldestMs = Math.min(oldestMs, seen.connected_ms);
      parts.push(parts.length === 0 ? OPEN : COMMA, this.#fragment(form, user, seen, accounts));
    }
    parts.push(parts.length === 0 ? EMPTY : CLOSE);
    const json = new RawJson<PresencesObject>(Buffer.concat(parts));
    const { changes } = this.#cache;
    if (isWhole) this.#joined.set(form, { accounts, changes, oldestMs, notBeforeMs, json });
    return json as unknown as RawJson<T>;
  }

  /** Whether cached JSON is still valid: an earlier limit would include more presences. */
  #holds({ accounts, changes, oldestMs, notBeforeMs }: JoinedJson, now: UserList, limitMs: number): boolean {
    return accounts === now && changes === this.#cache.changes && limitMs >= notBeforeMs && limitMs <= oldestMs;
  }

  *#changedSince({ users }: UserList, afterId: number): Iterable<User> {
    for (const id of this.#cache.changedSince(afterId)) {
      const user = users.get(id);
      if (user) yield user;
    }
  }

  #fragment(form: PresenceForm, user: User, seen: LastPresence, { organization }: UserList): Buffer {
    const kept = this.#fragments[form].get(user.id);
    if (kept && kept.user === user && kept.seen === seen) return kept.bytes;
    const [key, entry] = presenceEntry(form, user, seen, organization);
    const bytes = Buffer.from(`${JSON.stringify(key)}:${JSON.stringify(entry)}`);
    this.#fragments[form].set(user.id, { user, seen, bytes });
    return bytes;
  }
}

const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');
const COMMA = Buffer.from(',');
const EMPTY = Buffer.from('{}');

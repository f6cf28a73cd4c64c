import { type PresenceForm, presenceEntry } from '../access/presence-view.ts';
import { RawJson } from '../kernel/raw-json.ts';
import { isBot } from '../rules/roles.ts';
import type { LastPresence } from '../storage/interface/presences.ts';
import type { User } from '../storage/interface/users.ts';
import type { PresenceCache } from './presence-cache.ts';
import type { UserList } from './user-list.ts';

/** Filter for presences. */
export interface PresenceSelection {
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

import * as v from 'valibot';
import { joinedJson, type RawJson } from '../../../base/raw-json.ts';
import { describe } from '../../../base/schemas.ts';
import type { Organization } from '../../../model/organization.ts';
import type { LastPresence, Presence, User } from '../../../model/users.ts';
import { keptPerChat } from '../../../operation/feature.ts';
import { latestOf, type PresenceStatus, statusOf } from '../../../rules/presence.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';
import type { UserList } from '../../../views/user-list.ts';
import { apiEmail } from '../../../views/user-view.ts';

/** Keyed by API e-mail address with a status, or by user ID with two times. */
export type PresenceForm = 'legacy' | 'slim';

const status = v.picklist(['active', 'idle']);
const clientPresence = v.object({
  client: v.literal('website'),
  status: describe(status, 'Status in the last report. A user without a report for 200 seconds is offline.'),
  timestamp: describe(v.number(), 'Time of the last report; UNIX seconds.'),
});

/** All clients are combined into one, `website`. */
export const websitePresence = v.object({ ...clientPresence.entries, pushable: v.literal(false) });

export const legacyPresence = v.object({ aggregated: clientPresence, website: websitePresence });

export const slimPresence = v.object({
  active_timestamp: describe(v.number(), 'Time of the last report with the status active; UNIX seconds.'),
  idle_timestamp: describe(v.number(), 'Time of the last report; UNIX seconds.'),
});

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The status in the last report, and its time in milliseconds. */
export function reportOf(seen: LastPresence): { status: PresenceStatus; atMs: number } {
  const status = statusOf(seen);
  return { status, atMs: status === 'active' && seen.active_ms !== null ? seen.active_ms : seen.connected_ms };
}

function presenceEntry(
  form: PresenceForm,
  user: User,
  seen: LastPresence,
  organization: Organization,
): [key: string, entry: v.InferOutput<typeof legacyPresence> | v.InferOutput<typeof slimPresence>] {
  return form === 'slim'
    ? [String(user.id), slimPresenceView(user, seen)]
    : [apiEmail(user, organization), legacyPresenceView(seen)];
}

/** A user who was never active counts as active at the time they joined. */
export function slimPresenceView(user: User, seen: LastPresence): v.InferOutput<typeof slimPresence> {
  return {
    active_timestamp: seconds(seen.active_ms ?? user.joined_ms),
    idle_timestamp: seconds(seen.connected_ms),
  };
}

export function legacyPresenceView(seen: LastPresence): v.InferOutput<typeof legacyPresence> {
  const { status, atMs } = reportOf(seen);
  const aggregated = { client: 'website', status, timestamp: seconds(atMs) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}

const WRITE_AFTER_MS = 5_000;

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
class PresenceCache {
  readonly #stored = new Map<number, Presence>();
  readonly #unwritten = new Map<number, LastPresence>();
  /** Written reports, until they are read again: an older snapshot must not hide them. */
  readonly #written = new Map<number, LastPresence>();
  #latestId = 0;
  #dueMs: number | undefined;
  readonly #fragments: Record<PresenceForm, Map<number, Fragment>> = { legacy: new Map(), slim: new Map() };

  constructor(private readonly services: Pick<Services, 'rearm' | 'onRewind'>) {
    services.onRewind(() => this.#clear());
  }

  get latestId(): number {
    return this.#latestId;
  }

  /** Time of the next write. undefined if there are no reports. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  /** Reads new presences of all processes. Use a read transaction, which sees only committed data. */
  async catchUp(tx: Transaction): Promise<void> {
    for (const presence of await tx.presences.changedSince(this.#latestId)) this.#take(presence);
  }

  /** Unwritten reports stay. */
  #clear(): void {
    this.#stored.clear();
    this.#latestId = 0;
  }

  of(userId: number): LastPresence | undefined {
    const stored = this.#stored.get(userId);
    const reported = this.#unwritten.get(userId) ?? this.#written.get(userId);
    return stored && reported ? latestOf(stored, reported) : (reported ?? stored);
  }

  /** The visible presence of a user. undefined for bots and deactivated accounts; stored data if presence is hidden. */
  shownOf(user: User): LastPresence | undefined {
    if (!user.is_active || isBot(user)) return undefined;
    // Reports may be from before the user hid their presence.
    return user.settings.presence_enabled === false ? this.#stored.get(user.id) : this.of(user.id);
  }

  /** Presences as one JSON object. An entry is the same for all viewers. @param accounts of a read transaction */
  json<T>({ users, organization }: UserList, selection: PresenceSelection): RawJson<T> {
    const { form, notBeforeMs, afterId, visible } = selection;
    const entries: Buffer[] = [];
    for (const id of afterId < 0 ? users.keys() : this.#changedSince(afterId)) {
      const user = visible && !visible.has(id) ? undefined : users.get(id);
      const seen = user && this.shownOf(user);
      if (seen && seen.connected_ms >= notBeforeMs) entries.push(this.#fragment(form, user, seen, organization));
    }
    return joinedJson('{}', entries);
  }

  /** Users with presences written after this update, or not written yet. */
  #changedSince(updateId: number): Set<number> {
    const stored = [...this.#stored.values()].filter(({ update_id }) => update_id > updateId);
    return new Set([...this.#unwritten.keys(), ...this.#written.keys(), ...stored.map(({ user_id }) => user_id)]);
  }

  #fragment(form: PresenceForm, user: User, seen: LastPresence, organization: Organization): Buffer {
    const kept = this.#fragments[form].get(user.id);
    if (kept && kept.user === user && kept.seen === seen) return kept.bytes;
    const [key, entry] = presenceEntry(form, user, seen, organization);
    const bytes = Buffer.from(`${JSON.stringify(key)}:${JSON.stringify(entry)}`);
    this.#fragments[form].set(user.id, { user, seen, bytes });
    return bytes;
  }

  gather(seen: LastPresence, nowMs: number): void {
    const known = this.of(seen.user_id);
    this.#unwritten.set(seen.user_id, known ? latestOf(seen, known) : seen);
    if (this.#dueMs !== undefined) return;
    this.#dueMs = nowMs + WRITE_AFTER_MS;
    this.services.rearm();
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
    this.#dueMs = this.#unwritten.size === 0 ? undefined : nowMs + WRITE_AFTER_MS;
  }

  #take(presence: Presence): void {
    const known = this.#stored.get(presence.user_id);
    // A concurrent transaction may have an older snapshot.
    if (known && known.update_id >= presence.update_id) return;
    this.#stored.set(presence.user_id, presence);
    this.#written.delete(presence.user_id);
    this.#latestId = Math.max(this.#latestId, presence.update_id);
  }
}

export const presenceCacheOf = keptPerChat((services) => new PresenceCache(services));

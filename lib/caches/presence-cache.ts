import { latestOf } from '../rules/presence.ts';
import type { Presence, Seen } from '../storage/interface/presences.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** Reports wait at most this long until they are written. */
const WRITE_AFTER_MS = 5_000;

/**
 * When each person was last there: what is stored, as far as this process has read it, and reports that it
 * has taken and not written yet. One entry for each account at most.
 *
 * Clients report every minute, so a report is not worth a write of its own: they are gathered and written
 * together every few seconds, and when the chat closes. A process that dies loses what it gathered, a few
 * seconds of it; the clients' next report says it again, so nobody is mistaken for longer than one interval
 * between reports. Other processes see a report when it is written.
 *
 * Nothing here belongs to one snapshot: what is newer may be shown, and ids are never ahead of what was read.
 */
export class PresenceCache {
  readonly #stored = new Map<number, Presence>();
  /** As they were read, so ordered by their ids; some have been replaced since. */
  #history: Presence[] = [];
  readonly #unwritten = new Map<number, Seen>();
  /** Until they are read again, lest an older snapshot take them back for a moment. */
  readonly #written = new Map<number, Seen>();
  readonly #onDue: () => void;
  #latestId = 0;
  #dueMs: number | undefined;
  #changes = 0;

  /** @param onDue called when there is something to write after there was nothing */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** Everything up to this update is known. */
  get latestId(): number {
    return this.#latestId;
  }

  /** Rises whenever somebody's presence changes. */
  get changes(): number {
    return this.#changes;
  }

  /** When reports are to be written; undefined when there are none. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  /** Reads what was written since, here and elsewhere: in a transaction that only reads, which sees nothing uncommitted. */
  async catchUp(tx: Transaction): Promise<void> {
    for (const presence of await tx.presences.changedSince(this.#latestId)) this.#take(presence);
  }

  /** Clears what was read. Unwritten reports stay. */
  clear(): void {
    this.#stored.clear();
    this.#history = [];
    this.#latestId = 0;
    this.#changes++;
  }

  of(userId: number): Seen | undefined {
    const stored = this.#stored.get(userId);
    const reported = this.#unwritten.get(userId) ?? this.#written.get(userId);
    return stored && reported ? latestOf(stored, reported) : (reported ?? stored);
  }

  /** Without reports that were not read again yet: they may have come from somebody who wants to be unseen now. */
  storedOf(userId: number): Seen | undefined {
    return this.#stored.get(userId);
  }

  /** Whoever was written after this update or is still to be written; each once. */
  changedSince(updateId: number): Set<number> {
    const changed = new Set([...this.#unwritten.keys(), ...this.#written.keys()]);
    for (let at = this.#history.length - 1; at >= 0; at--) {
      const presence = this.#history[at] as Presence;
      if (presence.update_id <= updateId) break;
      changed.add(presence.user_id);
    }
    return changed;
  }

  /** To be written soon. */
  gather(seen: Seen, nowMs: number): void {
    const known = this.of(seen.user_id);
    this.#unwritten.set(seen.user_id, known ? latestOf(seen, known) : seen);
    this.#changes++;
    if (this.#dueMs !== undefined) return;
    this.#dueMs = nowMs + WRITE_AFTER_MS;
    this.#onDue();
  }

  /** What is to be written now. */
  gathered(): Seen[] {
    return [...this.#unwritten.values()];
  }

  /** Of these, those that may be shown were written, the others are forgotten; what was reported since stays. */
  settle(seen: readonly Seen[], isWritten: (one: Seen) => boolean, nowMs: number): void {
    for (const one of seen) {
      if (isWritten(one)) this.#written.set(one.user_id, one);
      if (this.#unwritten.get(one.user_id) === one) this.#unwritten.delete(one.user_id);
    }
    this.#changes++;
    this.#dueMs = this.#unwritten.size === 0 ? undefined : nowMs + WRITE_AFTER_MS;
  }

  #take(presence: Presence): void {
    const known = this.#stored.get(presence.user_id);
    // Of transactions that read side by side, one may have seen less.
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

import type { LastPresence } from '../model/users.ts';

/** In seconds: how often clients report, and the time without a report after which a user is offline. */
export const PING_INTERVAL_SECONDS = 60;
export const OFFLINE_THRESHOLD_SECONDS = 200;

/** Smaller changes of a time are not stored, so that several clients of a user cost one update. */
const MIN_STEP_MS = 55_000;
/** A user counts as active if the last activity is at most this much older than the last report. */
const ACTIVE_FOR_MS = 70_000;

export type PresenceStatus = 'active' | 'idle';

/**
 * The change from a user's report; undefined if it changes nothing. `cameOnline`: the user was offline, or was idle and
 * is active again.
 */
export function seenAgain(known: LastPresence | undefined, userId: number, status: PresenceStatus, nowMs: number) {
  const activeNow = status === 'active' ? nowMs : null;
  if (!known) {
    return { seen: { user_id: userId, active_ms: activeNow, connected_ms: nowMs }, cameOnline: true };
  }
  const wasAway = isOffline(known, nowMs);
  const rises = status === 'active' && (wasAway || statusOf(known) === 'idle');
  const isLater = nowMs - known.connected_ms >= MIN_STEP_MS;
  const worksLater = status === 'active' && nowMs - (known.active_ms ?? 0) >= MIN_STEP_MS;
  if (!rises && !isLater && !worksLater) return undefined;
  const active_ms = rises || worksLater ? nowMs : known.active_ms;
  const connected_ms = Math.max(known.connected_ms, isLater || rises || worksLater ? nowMs : 0);
  return { seen: { user_id: userId, active_ms, connected_ms }, cameOnline: wasAway || rises };
}

export function isOffline({ connected_ms }: Pick<LastPresence, 'connected_ms'>, nowMs: number): boolean {
  return nowMs - connected_ms > OFFLINE_THRESHOLD_SECONDS * 1000;
}

/** The status in the last report, regardless of its age. */
export function statusOf({ active_ms, connected_ms }: Omit<LastPresence, 'user_id'>): PresenceStatus {
  return active_ms !== null && active_ms + ACTIVE_FOR_MS >= connected_ms ? 'active' : 'idle';
}

/** The later of each of the two times. */
export function latestOf(a: LastPresence, b: LastPresence): LastPresence {
  if (isUpToDate(a, b)) return a;
  if (isUpToDate(b, a)) return b;
  const active_ms = Math.max(a.active_ms ?? 0, b.active_ms ?? 0);
  return { user_id: a.user_id, active_ms, connected_ms: Math.max(a.connected_ms, b.connected_ms) };
}

function isUpToDate(a: LastPresence, b: LastPresence): boolean {
  return a.connected_ms >= b.connected_ms && (a.active_ms ?? 0) >= (b.active_ms ?? 0);
}

/** The times of a user who hides their presence: offline and never active. */
export function seenNoMore(userId: number, nowMs: number): LastPresence {
  return { user_id: userId, active_ms: null, connected_ms: nowMs - (OFFLINE_THRESHOLD_SECONDS + 120) * 1000 };
}

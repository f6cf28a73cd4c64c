import type { Seen } from '../storage/interface/presences.ts';

/** Clients report this often, and tell nobody to be there of whom they heard nothing for so long. Seconds. */
export const PING_INTERVAL_SECONDS = 60;
export const OFFLINE_THRESHOLD_SECONDS = 200;

/** A time is replaced by one that is newer than it by this: clients that report together cost one update. */
const LEAST_STEP_MS = 55_000;
/** Somebody counts as active while the last sign of work is no older than this against the last report. */
const ACTIVE_FOR_MS = 70_000;

export type PresenceStatus = 'active' | 'idle';

/** What a report changes. */
export interface SeenAgain {
  seen: Seen;
  /** They were away, or idle and are at work again. */
  cameOnline: boolean;
}

/** What somebody's report changes of what is known; undefined where it says nothing new. */
export function seenAgain(
  known: Seen | undefined,
  userId: number,
  status: PresenceStatus,
  nowMs: number,
): SeenAgain | undefined {
  const activeNow = status === 'active' ? nowMs : null;
  if (!known) {
    return { seen: { user_id: userId, active_ms: activeNow, connected_ms: nowMs }, cameOnline: true };
  }
  const wasAway = isOffline(known, nowMs);
  const rises = status === 'active' && (wasAway || statusOf(known) === 'idle');
  const isLater = nowMs - known.connected_ms >= LEAST_STEP_MS;
  const worksLater = status === 'active' && nowMs - (known.active_ms ?? 0) >= LEAST_STEP_MS;
  if (!rises && !isLater && !worksLater) return undefined;
  const active_ms = rises || worksLater ? nowMs : known.active_ms;
  const connected_ms = Math.max(known.connected_ms, isLater || rises || worksLater ? nowMs : 0);
  return { seen: { user_id: userId, active_ms, connected_ms }, cameOnline: wasAway || rises };
}

/** Nothing was heard of them for so long that nobody takes them to be there. */
export function isOffline({ connected_ms }: Pick<Seen, 'connected_ms'>, nowMs: number): boolean {
  return nowMs - connected_ms > OFFLINE_THRESHOLD_SECONDS * 1000;
}

/** As of the last report, however long ago that was. */
export function statusOf({ active_ms, connected_ms }: Pick<Seen, 'active_ms' | 'connected_ms'>): PresenceStatus {
  return active_ms !== null && active_ms + ACTIVE_FOR_MS >= connected_ms ? 'active' : 'idle';
}

/** Both times at their latest. */
export function latestOf(one: Seen, other: Seen): Seen {
  if (isUpToDate(one, other)) return one;
  if (isUpToDate(other, one)) return other;
  const active_ms = Math.max(one.active_ms ?? 0, other.active_ms ?? 0);
  return { user_id: one.user_id, active_ms, connected_ms: Math.max(one.connected_ms, other.connected_ms) };
}

/** Whether the one knows all that the other says. */
function isUpToDate(one: Seen, other: Seen): boolean {
  return one.connected_ms >= other.connected_ms && (one.active_ms ?? 0) >= (other.active_ms ?? 0);
}

/** They want to be taken for absent from now on: long since gone, and never at work. */
export function seenNoMore(userId: number, nowMs: number): Seen {
  return { user_id: userId, active_ms: null, connected_ms: nowMs - (OFFLINE_THRESHOLD_SECONDS + 120) * 1000 };
}

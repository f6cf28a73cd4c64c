/** Source of time. Tests use `TestClock` of `parlance-chat/testing`. */
export interface Clock {
  /** Current time in milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; returns a function to cancel it. Must not keep the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** Longest delay that `setTimeout` accepts. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, Math.min(ms, MAX_TIMEOUT_MS)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The clock of this machine, plus an offset in milliseconds. */
export function correctedClock(offsetMs: () => number): Clock {
  return { ...systemClock, now: () => systemClock.now() + offsetMs() };
}

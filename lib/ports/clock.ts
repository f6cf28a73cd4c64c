/** Time as the outside provides it. Tests drive a clock of their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds; returns the cancellation. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** Longest delay `setTimeout` takes. */
const LONGEST = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, Math.min(ms, LONGEST)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The clock of this machine, corrected by so many milliseconds. */
export function correctedClock(offsetMs: () => number): Clock {
  return { ...systemClock, now: () => systemClock.now() + offsetMs() };
}

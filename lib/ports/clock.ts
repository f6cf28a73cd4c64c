/** Time as the outside provides it. Tests drive a clock of their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds; returns the cancellation. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** Longest delay `setTimeout` takes. */
const LONGEST = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, Math.min(ms, LONGEST)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

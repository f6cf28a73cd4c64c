import type { Clock } from '../../lib/ports/clock.ts';

/** The time of day, and so much later. */
export const laterClock = (byMs: number): Clock => ({
  now: () => Date.now() + byMs,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});

const live = new Set<NodeJS.Timeout>();

/**
 * Counts the timers that wait, also those that do not keep the process alive, which node does not list. What is
 * behind `node:http` has timers of its own and is not counted.
 */
export function countTimers(): () => number {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const forget = (timer: unknown) => live.delete(timer as NodeJS.Timeout);
  globalThis.setTimeout = Object.assign(
    (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const timer = setTimeout(() => {
        forget(timer);
        callback(...args);
      }, ms);
      live.add(timer);
      return timer;
    },
    { __promisify__: setTimeout.__promisify__ },
  ) as typeof globalThis.setTimeout;
  globalThis.setInterval = ((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = setInterval(callback, ms, ...args);
    live.add(timer);
    return timer;
  }) as typeof globalThis.setInterval;
  globalThis.clearTimeout = (timer) => {
    forget(timer);
    clearTimeout(timer);
  };
  globalThis.clearInterval = (timer) => {
    forget(timer);
    clearInterval(timer);
  };
  return () => live.size;
}

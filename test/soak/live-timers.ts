const live = new Set<NodeJS.Timeout>();

/**
 * Counts waiting timers, including those that do not keep the process alive, which Node does not list. Timers inside
 * `node:http` are not counted.
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

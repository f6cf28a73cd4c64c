import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';

interface UntilOptions {
  /** Milliseconds between two checks. 0 checks again in the next turn of the event loop. */
  every?: number;
  /** Seconds until the test fails. */
  seconds?: number;
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Polls until `look` returns a truthy value, and returns it. Fails after a limit, also when `look` itself never ends.
 *
 * @param what the condition, for the message of the failure: "a poll waits"
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { every = 10, seconds = 120 }: UntilOptions = {},
): Promise<Truthy<T>> {
  const limit = new AbortController();
  let found: T | undefined;
  const poll = async () => {
    while (!limit.signal.aborted) {
      found = await look();
      if (found) return;
      await (every === 0 ? setImmediate() : setTimeout(every));
    }
  };
  const late = setTimeout(seconds * 1000, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    await Promise.race([poll(), late]);
  } finally {
    limit.abort();
  }
  if (!found) assert.fail(`waited ${seconds} s in vain: ${what}`);
  return found as Truthy<T>;
}

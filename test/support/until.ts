import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const SECONDS = 120;
/**
 * Milliseconds between two checks: the first ones follow soon, and the pauses grow. A check of a page uses four
 * milliseconds of processor time in three processes.
 */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 50;
const GROWTH = 1.25;

interface UntilOptions {
  /**
   * Milliseconds between two checks. 0 checks again in the next turn of the event loop. Without it, the pauses grow from
   * 10 to 50.
   */
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
  options: UntilOptions = {},
): Promise<Truthy<T>> {
  const found = await poll(look, Boolean, options);
  if (!found) assert.fail(`waited ${options.seconds ?? SECONDS} s in vain: ${what}`);
  return found as Truthy<T>;
}

/**
 * Polls until `look` returns an equal value. Fails after a limit, with the difference. For values of a page that change
 * a moment after the step before, such as the text of a field: a single look would also see the earlier value.
 */
export async function untilEqual<T>(look: () => T | Promise<T>, expected: T, what?: string): Promise<void> {
  const found = await poll(look, (value) => isDeepStrictEqual(value, expected));
  assert.deepEqual(found, expected, what);
}

/** Polls until `look` returns a text that matches. Fails after a limit, with the last text. */
export async function untilMatch(
  look: () => string | null | undefined | Promise<string | null | undefined>,
  pattern: RegExp,
  what?: string,
): Promise<void> {
  const found = await poll(look, (text) => pattern.test(text ?? ''));
  assert.match(found ?? '', pattern, what);
}

/** The last value of `look`: the first one that `isIt`, if there was one in time. */
async function poll<T>(
  look: () => T | Promise<T>,
  isIt: (value: T) => boolean,
  { every, seconds = SECONDS }: UntilOptions = {},
): Promise<T | undefined> {
  const limit = new AbortController();
  let found: T | undefined;
  const looking = async () => {
    let pause = FIRST_PAUSE;
    while (!limit.signal.aborted) {
      found = await look();
      if (isIt(found)) return;
      await (every === 0 ? setImmediate() : setTimeout(every ?? pause));
      pause = Math.min(pause * GROWTH, LONGEST_PAUSE);
    }
  };
  const late = setTimeout(seconds * 1000, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    await Promise.race([looking(), late]);
  } finally {
    limit.abort();
  }
  return found;
}

import assert from 'node:assert/strict';
import { inspect } from 'node:util';

/**
 * The pattern of a value. Objects name the keys to compare, and lists are complete. A regular expression matches
 * strings, and a function returns whether the value is right.
 */
export type Pattern = unknown;

export function assertMatches(actual: unknown, pattern: Pattern, place = 'value'): void {
  if (typeof pattern === 'function') {
    assert.ok(pattern(actual), `${place}: ${inspect(actual, { depth: 4 })} does not satisfy ${pattern}`);
    return;
  }
  if (pattern instanceof RegExp) {
    assert.match(String(actual), pattern, place);
    return;
  }
  if (Array.isArray(pattern)) {
    assert.ok(Array.isArray(actual), `${place}: ${inspect(actual)} is not a list`);
    const shown = inspect(actual, { depth: 3, breakLength: 100 });
    assert.equal(
      actual.length,
      pattern.length,
      `${place} has ${actual.length} elements, not ${pattern.length}: ${shown}`,
    );
    for (const [at, one] of pattern.entries()) assertMatches(actual[at], one, `${place}[${at}]`);
    return;
  }
  if (typeof pattern === 'object' && pattern !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${place}: ${inspect(actual)} is not an object`);
    for (const [key, one] of Object.entries(pattern)) {
      if (one === ABSENT) assert.ok(!Object.hasOwn(actual, key), `${place}.${key} should be absent`);
      else assertMatches((actual as Record<string, unknown>)[key], one, `${place}.${key}`);
    }
    return;
  }
  assert.deepEqual(actual, pattern, place);
}

/** Stands for a key that must be absent. */
export const ABSENT = Symbol('absent');

/** The same elements in any order. */
export const inAnyOrder = (...wanted: unknown[]) => {
  const key = (values: unknown[]) =>
    values
      .map((value) => JSON.stringify(value))
      .sort()
      .join();
  return (actual: unknown) => Array.isArray(actual) && key(actual) === key(wanted);
};

/** A list that contains these elements, and perhaps others. */
export const including =
  (...wanted: unknown[]) =>
  (actual: unknown) => {
    const found = new Set((actual as unknown[]).map((value) => JSON.stringify(value)));
    return wanted.every((one) => found.has(JSON.stringify(one)));
  };

/** UNIX seconds from the present on: a separate program uses the system clock. */
export const isSince = (clock: { now(): number }) => {
  const from = Math.floor(clock.now() / 1000);
  return (seconds: unknown) => Number.isInteger(seconds) && (seconds as number) >= from;
};

/** The items by key, in their order. Like `Map.groupBy`, which Node 20 does not have. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Splits items into parts of at most `max` in total weight, in their order. A heavier item is a part of its own. */
export function chunked<T>(items: Iterable<T>, max: number, weightOf: (item: T) => number = () => 1): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of items) {
    const weight = weightOf(item);
    const part = parts.at(-1);
    if (part && weight <= room) part.push(item);
    else {
      parts.push([item]);
      room = max;
    }
    room -= weight;
  }
  return parts;
}

/**
 * Like Promise.all, for queries of one transaction: on PostgreSQL they cost one round trip. Waits for all of them. If
 * several fail, throws the error of the first in the list, as if they ran one after another.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  queries: T,
): Promise<{ -readonly [at in keyof T]: Awaited<T[at]> }> {
  try {
    return await Promise.all(queries);
  } catch (error) {
    const outcomes = await Promise.allSettled(queries);
    const first = outcomes.find((outcome): outcome is PromiseRejectedResult => outcome.status === 'rejected');
    throw first ? first.reason : error;
  }
}

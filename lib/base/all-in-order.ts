/**
 * Like Promise.all, for queries of one transaction: on PostgreSQL they cost one round trip. Waits for all of them. If
 * several fail, throws the error of the first in the list, as if they ran one after another.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  queries: T,
): Promise<{ -readonly [at in keyof T]: Awaited<T[at]> }> {
  try {
    return await Promise.all(queries);
  } catch {
    for (const outcome of await Promise.allSettled(queries)) if (outcome.status === 'rejected') throw outcome.reason;
    throw new Error('A query failed, and succeeded when it was asked again.');
  }
}

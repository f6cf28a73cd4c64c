/**
 * As Promise.all, for what a transaction is asked at once: on PostgreSQL this costs one round trip. Waits for all of
 * it. Where several fail, it fails as the first of the list does, as if they were asked one after another.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [at in keyof T]: Awaited<T[at]> }> {
  const outcomes = await Promise.allSettled(asked);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }) as { -readonly [at in keyof T]: Awaited<T[at]> };
}

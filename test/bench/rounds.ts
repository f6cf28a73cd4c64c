export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

export interface Pair {
  floor: number;
  subject: number;
}

/**
 * Floor and subject in turn. Each is first in every other round, so that a slow or busy machine affects both equally.
 * The first `warmUps` rounds do not count.
 */
export async function alternate(
  rounds: number,
  warmUps: number,
  floor: () => Promise<number>,
  subject: () => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    let pair: Pair;
    if (round % 2 === 0) pair = { floor: await floor(), subject: await subject() };
    else {
      const first = await subject();
      pair = { floor: await floor(), subject: first };
    }
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

export function summary(pairs: readonly Pair[]): { ratios: number[]; subject: number; floor: number } {
  return {
    ratios: pairs.map(({ floor, subject }) => subject / floor),
    subject: median(pairs.map((pair) => pair.subject)),
    floor: median(pairs.map((pair) => pair.floor)),
  };
}

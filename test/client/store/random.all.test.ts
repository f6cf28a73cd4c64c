import { test } from 'node:test';
import { playRandomly } from './random.ts';

/** PARLANCE_STORE_RUNS sets the number of runs, each with a new seed. */
const GIVEN = Number(process.env.PARLANCE_STORE_RUNS ?? 0);
const RUNS = GIVEN || 100;
const FIRST_SEED = Number(process.env.PARLANCE_SEED ?? (GIVEN ? Date.now() % 1_000_000 : 1));

test(`a store is up to date after ${RUNS} random histories with lost connections and queues`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
    try {
      await playRandomly(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});

import { testHistories } from './random.ts';

/** PARLANCE_STORE_RUNS sets the number of histories, each with a new seed. */
const GIVEN = Number(process.env.PARLANCE_STORE_RUNS ?? 0);
const FIRST_SEED = Number(process.env.PARLANCE_SEED ?? (GIVEN ? Date.now() % 1_000_000 : 31));

testHistories(FIRST_SEED, GIVEN || 200);

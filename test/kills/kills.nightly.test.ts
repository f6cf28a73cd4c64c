import { SCENARIOS } from './scenarios.ts';

// `PARLANCE_KILLS=100` for as many kills of each engine.
for (const play of SCENARIOS) play(Number(process.env.PARLANCE_KILLS ?? 6));

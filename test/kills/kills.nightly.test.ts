import { SCENARIOS } from './scenarios.ts';

// `PARLANCE_KILLS=100` sets the number of kills per engine.
for (const play of SCENARIOS) play(Number(process.env.PARLANCE_KILLS ?? 6));

import { SCENARIOS } from './scenarios.ts';

for (const play of SCENARIOS) play(1);

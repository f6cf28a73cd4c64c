import { SCENARIOS } from './scenarios.ts';
import { ENGINES } from './victims.ts';

const [sqlite, postgres] = ENGINES as [(typeof ENGINES)[number], (typeof ENGINES)[number]];

// Each scenario on one engine, in turn.
for (const [at, play] of SCENARIOS.entries()) play(1, [at % 2 === 0 ? postgres : sqlite]);

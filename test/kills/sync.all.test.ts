import { killSync } from './sync.ts';
import { ENGINES } from './victims.ts';

killSync(3_000, ENGINES.slice(0, 1));

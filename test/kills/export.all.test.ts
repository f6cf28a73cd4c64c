import { killExports } from './export.ts';
import { ENGINES } from './victims.ts';

killExports([9, 30], ENGINES.slice(0, 1));

import { killExports, STEPS } from './export.ts';

killExports(STEPS);

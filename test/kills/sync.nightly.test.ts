import { killSync } from './sync.ts';

killSync(5_000);

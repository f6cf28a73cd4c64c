import { playHistory } from './random-histories.ts';

for (const seed of [1, 2, 3, 4]) playHistory(seed);

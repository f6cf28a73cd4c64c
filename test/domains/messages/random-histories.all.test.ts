import { playHistory } from './random-histories.ts';

playHistory(1, 32);

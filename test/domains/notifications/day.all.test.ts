import { playDays } from './play-day.ts';

playDays([
  { seed: 1, minutes: 30, killEvery: 0 },
  { seed: 2, minutes: 20, killEvery: 5 },
]);

import { playDays } from './play-day.ts';

playDays([
  { seed: 1, minutes: 6, mostMessages: 3, killEvery: 0 },
  { seed: 2, minutes: 6, mostMessages: 3, killEvery: 5 },
]);

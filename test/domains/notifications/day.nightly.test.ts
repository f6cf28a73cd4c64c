import { playDays } from './play-day.ts';

playDays([
  ...[11, 12, 13].map((seed) => ({ seed, minutes: 600, killEvery: 0 })),
  ...[21, 22, 23].map((seed) => ({ seed, minutes: 200, killEvery: 5 })),
]);

import { playDays } from './play-day.ts';

playDays([
  { seed: 1, minutes: 30, mostMessages: 3, killEvery: 0 },
  { seed: 2, minutes: 20, mostMessages: 3, killEvery: 5 },
  ...[11, 12].map((seed) => ({ seed, minutes: 480, mostMessages: 1, killEvery: 0 })),
  ...[21, 22].map((seed) => ({ seed, minutes: 200, mostMessages: 3, killEvery: 5 })),
]);

import { playDays } from './play-day.ts';

playDays([
  ...[11, 12].map((seed) => ({ seed, minutes: 480, mostMessages: 1, killEvery: 0 })),
  ...[21, 22].map((seed) => ({ seed, minutes: 200, mostMessages: 3, killEvery: 5 })),
]);

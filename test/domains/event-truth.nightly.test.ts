import { testEventTruth } from './event-truth.ts';
import { CHANGES } from './joint-changes.ts';

testEventTruth(
  CHANGES.map((change) => [change]),
  ['all users see each other', 'guests see only related users'],
  { isWhole: true },
);

import { describeTroubles, testDrop, testLimit, testRestarts } from './postgres-troubles.ts';

describeTroubles((on) => {
  testRestarts(on, 3);
  testDrop(on, 'established connections are');
  testDrop(on, 'the network is');
  testLimit(on, 'statement');
});

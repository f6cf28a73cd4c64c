import { testDeliveries } from './concurrent-polls.ts';

testDeliveries(1_000);

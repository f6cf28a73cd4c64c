import { testDeliveries } from './concurrent-polls.ts';

testDeliveries(2_500);

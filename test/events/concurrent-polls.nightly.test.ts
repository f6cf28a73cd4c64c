import { testDeliveries } from './concurrent-polls.ts';

testDeliveries(Number(process.env.PARLANCE_TEST_DELIVERIES ?? 25_000));

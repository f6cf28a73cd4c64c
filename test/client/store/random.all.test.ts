import { testHistories } from './random.ts';

testHistories(1, 12);

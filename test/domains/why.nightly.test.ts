import { CALLERS, STRANGERS, testOutcomes, testStrangers } from './why-outcomes.ts';

testOutcomes(CALLERS);
testStrangers(STRANGERS);

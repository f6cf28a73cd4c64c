import { testEventTruth } from './event-truth.ts';
import { CHANGES } from './joint-changes.ts';

testEventTruth(CHANGES.map((change) => [change]));

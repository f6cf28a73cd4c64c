import { CHANGES } from './joint-changes.ts';
import { testStoreTruth } from './store-truth.ts';

testStoreTruth(CHANGES.map((change) => [change]));

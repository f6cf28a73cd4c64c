import { groupsOfChanges } from './joint-changes.ts';
import { testStoreTruth } from './store-truth.ts';

testStoreTruth(groupsOfChanges(), { alternates: true });

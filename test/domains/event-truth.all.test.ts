import { testEventTruth } from './event-truth.ts';
import { groupsOfChanges } from './joint-changes.ts';

testEventTruth(groupsOfChanges(), ['guests see only related users']);

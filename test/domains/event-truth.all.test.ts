import { testEventTruth } from './event-truth.ts';
import { CHANGES, groupsOfChanges } from './joint-changes.ts';

/** Changes on which it depends whom a guest sees, or that concern users whom guests may not see. */
const CONCERNED = /^(avatars|bots|messages|organization|presence|rooms|settings|subscriptions|users|userStatus)\./;

testEventTruth(groupsOfChanges(CHANGES.filter(({ operation }) => CONCERNED.test(operation))), [
  'guests see only related users',
]);

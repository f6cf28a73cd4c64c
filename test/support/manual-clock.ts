/** The clock that the package offers for the tests of others is the one of ours. */
export { TestClock as ManualClock } from '../../lib/testing/testing.ts';

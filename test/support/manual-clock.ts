/** Our tests use the clock that the package exports for tests. */
export { TestClock as ManualClock } from '../../lib/testing/testing.ts';

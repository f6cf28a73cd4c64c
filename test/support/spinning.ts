/** A test that blocks the processor, for the test of the time limit. */
import { it } from 'node:test';

it('that spins', () => {
  for (;;);
});

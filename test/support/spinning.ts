/** A test that never lets go of the processor, for the test of the limit. */
import { it } from 'node:test';

it('that spins', () => {
  for (;;);
});

/** A test that passes beside errors that nothing catches, for the test of the runner. */
import { it } from 'node:test';

it('with errors beside it', async () => {
  void Promise.reject(new Error('a rejection without a handler'));
  setTimeout(() => {
    throw new Error('an error in a timer');
  }, 10);
  await new Promise((resolve) => setTimeout(resolve, 50));
});

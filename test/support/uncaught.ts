/** A test that passes while uncaught errors occur, for the test of the runner. */
import { it } from 'node:test';

it('with uncaught errors beside it', async () => {
  void Promise.reject(new Error('a rejection without a handler'));
  setTimeout(() => {
    throw new Error('an error in a timer');
  }, 10);
  await new Promise((resolve) => setTimeout(resolve, 50));
});

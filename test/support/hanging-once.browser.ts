/** For the test of the runner: waits forever when it is played first. */
import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';

it('ends the second time', async () => {
  const mark = `${process.env.PARLANCE_TEST_FOLDER}/../played`;
  const isAgain = existsSync(mark);
  writeFileSync(mark, '');
  if (!isAgain) await new Promise((resolve) => setTimeout(resolve, 3_600_000));
});

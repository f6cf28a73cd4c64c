/** Tests that never end, for the test of the time limit. */
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';

describe('a group', () => {
  it('that ends', () => undefined);
  it('that waits forever beside a child', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 60_000)'], { stdio: 'ignore' });
    console.log(`child ${child.pid}`);
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  });
  it('that does not start', () => undefined);
});

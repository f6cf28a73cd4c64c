import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** The runner with seconds for each file, on files that need no PostgreSQL. */
function runFor(seconds: number, ...files: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'test/support/run.ts', ...files],
      { env: { ...env, PARLANCE_TEST_FILE_MINUTES: String(seconds / 60), PARLANCE_TEST_POSTGRES: 'postgres://none' } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Whether a process runs. A killed one may remain as a zombie. */
const runs = (id: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).stdout);

describe('the test runner', { skip: process.platform === 'win32' && 'ps is not there' }, () => {
  it('ends a file that never ends, with its children, and names unfinished tests', async () => {
    const { code, stdout, stderr } = await runFor(4, 'test/support/hanging.ts');
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'test/support/hanging.ts was ended by SIGKILL. Begun and not ended:\n  a group\n    that waits for ever beside a child\n',
    );
    const child = Number(/child (\d+)/.exec(stdout)?.[1]);
    assert.ok(child > 0, stdout);
    assert.equal(runs(child), false);
  });

  it('ends a file that never yields the processor', async () => {
    const { code, stderr } = await runFor(4, 'test/support/spinning.ts');
    assert.equal(code, 1);
    assert.match(stderr, /^test\/support\/spinning\.ts was ended by SIGKILL\./);
  });

  it('fails if a test ends its process', async () => {
    const { code, stdout } = await runFor(60, 'test/support/leaving.ts', 'test/rules/permissions.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /The process ended before its last test\./);
  });

  it('fails a file with an uncaught error and prints where it was thrown', async () => {
    const { code, stdout } = await runFor(60, 'test/support/uncaught.ts', 'test/rules/permissions.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /Error: a rejection without a handler\n +at .*uncaught\.ts/);
    assert.match(stdout, /Error: an error in a timer\n +at .*uncaught\.ts/);
  });

  it('plays long files of a folder only with --all, and names those that it leaves out', async () => {
    const { code, stdout, stderr } = await runFor(60, 'test/testing');
    assert.equal(code, 1);
    assert.match(stderr, /Only `npm run test:all test\/testing` plays files there\./);
    assert.equal(stdout, '');
    const named = await runFor(60, 'test/hostile', 'test/rules/permissions.test.ts');
    assert.equal(named.code, 0);
    assert.match(named.stdout, /This run left out:\n {2}1 long files: test\/hostile\/hostile\.long\.test\.ts\n/);
  });

  it('ends a file in which a failed hook leaves a server running', async () => {
    const { code, stdout, stderr } = await runFor(60, 'test/support/failing-hook.ts', 'test/rules/permissions.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /a hook fails/);
    assert.doesNotMatch(stderr, /was ended by/);
  });
});

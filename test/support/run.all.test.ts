import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { batchesOf } from './balance.ts';

/** Runs the runner with a time limit per process, on files that need no PostgreSQL. */
function runFor(seconds: number, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { NODE_TEST_CONTEXT: _, ...given } = process.env;
  const env = { ...given, PARLANCE_TEST_HANGING_SECONDS: '5' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'test/support/run.ts', ...args],
      { env: { ...env, PARLANCE_TEST_FILE_MINUTES: String(seconds / 60), PARLANCE_TEST_POSTGRES: 'postgres://none' } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Whether a process runs. A killed one may remain as a zombie. */
const runs = (id: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' }).stdout);

describe('the test runner', { skip: process.platform === 'win32' && 'ps is not there', concurrency: 3 }, () => {
  it('ends a process that never ends, with its children, and names unfinished tests', async () => {
    const { code, stdout, stderr } = await runFor(3600, 'test/support/hanging.ts');
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'A process with test/support/hanging.ts was ended by SIGKILL. Begun and not ended:\n  a group\n    that waits forever beside a child\n',
    );
    const child = Number(/child (\d+)/.exec(stdout)?.[1]);
    assert.ok(child > 0, stdout);
    assert.equal(runs(child), false);
  });

  it('ends a process that blocks the processor', async () => {
    const { code, stderr } = await runFor(8, 'test/support/spinning.ts');
    assert.equal(code, 1);
    assert.match(stderr, /^A process with test\/support\/spinning\.ts was ended by SIGKILL\./);
  });

  it('fails if a test ends its process', async () => {
    const { code, stdout } = await runFor(60, 'test/support/leaving.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /The process ended before its last test\./);
  });

  it('fails a file with an uncaught error and prints its stack', async () => {
    const { code, stdout } = await runFor(60, 'test/support/uncaught.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /Error: a rejection without a handler\n +at .*uncaught\.ts/);
    assert.match(stdout, /Error: an error in a timer\n +at .*uncaught\.ts/);
  });

  it('plays a failed file with a browser again, and says so', async () => {
    const { code, stderr } = await runFor(60, 'test/support/unsteady.browser.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 0);
    assert.equal(stderr, '\nUnsteady, passed only when played again alone: test/support/unsteady.browser.ts\n');
  });

  it('fails if a file with a browser fails twice, or another file once', async () => {
    const twice = await runFor(60, 'test/support/failing.browser.ts', 'test/rules/uploads.test.ts');
    assert.deepEqual([twice.code, twice.stdout.match(/played again alone/g)?.length], [1, 1]);
    const once = await runFor(60, 'test/support/unsteady.browser.ts', 'test/support/uncaught.ts');
    assert.equal(once.code, 1);
    assert.doesNotMatch(once.stdout, /played again/);
  });

  it('counts skipped tests by their reason, and names their files', async () => {
    const { code, stderr } = await runFor(60, 'test/support/skipping.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 0);
    assert.equal(
      stderr,
      '\nSkipped 2 tests or groups of tests, because there is no such program:\n       2  test/support/skipping.ts\n',
    );
  });

  it('runs files of larger sets of a folder only if the set is named', async () => {
    const none = await runFor(60, 'test/testing');
    assert.equal(none.code, 1);
    assert.match(none.stderr, /npm run test:nightly test\/testing runs all\./);
    assert.equal(none.stdout, '');
    const added = await runFor(60, 'test/rules', '--set=all', '--added');
    assert.equal(added.code, 1);
    assert.match(added.stderr, /This set has no such file\./);
  });

  it('ends a file in which a failed hook leaves a server running', async () => {
    const { code, stdout, stderr } = await runFor(60, 'test/support/failing-hook.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /a hook fails/);
    assert.doesNotMatch(stderr, /was ended by/);
  });
});

it('batches start with the slowest files, and the last ones are small', () => {
  const durations = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`file ${at}`, at]));
  const files = [...Object.keys(durations), 'a new file'];
  const batches = batchesOf(files, { processes: 3, durations });
  assert.deepEqual(batches.flat().sort(), files.sort());
  assert.deepEqual(batches[0], ['file 99', 'file 98', 'file 97', 'file 96', 'file 95', 'file 94', 'file 93']);
  const seconds = batches.map((batch) => batch.reduce((sum, file) => sum + (durations[file] ?? 50), 0));
  assert.ok(Math.max(...seconds.slice(-3)) < 30, String(seconds));
  const position = batches.findIndex((batch) => batch.includes('a new file'));
  assert.ok(position > 3 && position < batches.length - 3, 'a file without a measurement counts as the median');
});

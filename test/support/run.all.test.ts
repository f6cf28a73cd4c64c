import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runFor, runs } from './run-for.ts';

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
});

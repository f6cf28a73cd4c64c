import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runFor } from './run-for.ts';

describe('the test runner', { skip: process.platform === 'win32' && 'ps is not there', concurrency: 3 }, () => {
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

  it('fails if a file with a browser fails twice, or another file once', async () => {
    const twice = await runFor(60, 'test/support/failing.browser.ts', 'test/rules/uploads.test.ts');
    assert.deepEqual([twice.code, twice.stdout.match(/played again alone/g)?.length], [1, 1]);
    const once = await runFor(60, 'test/support/unsteady.browser.ts', 'test/support/uncaught.ts');
    assert.equal(once.code, 1);
    assert.doesNotMatch(once.stdout, /played again/);
  });

  it('ends a file in which a failed hook leaves a server running', async () => {
    const { code, stdout, stderr } = await runFor(60, 'test/support/failing-hook.ts', 'test/rules/uploads.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, /a hook fails/);
    assert.doesNotMatch(stderr, /was ended by/);
  });

  it('fails if an ended process leaves files unplayed, though its own file could be played again', async () => {
    const folders = ['test/rules', 'test/base', 'test/markdown'];
    const { code, stdout, stderr } = await runFor(3600, 'test/support/hanging-once.browser.ts', ...folders);
    assert.equal(code, 1);
    assert.match(stderr, /^A process with test\/support\/hanging-once\.browser\.ts was ended by SIGKILL\./);
    assert.doesNotMatch(stdout, /played again/);
  });
});

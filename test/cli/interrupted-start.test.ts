import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { compiledProgram } from '../programs.ts';

test('a Ctrl-C that arrives while a command starts to listen for it is not lost', async () => {
  const { stdout } = spawnSync(process.execPath, [await compiledProgram('interrupted-start')], { encoding: 'utf8' });
  assert.equal(stdout, 'SIGINT\n');
});

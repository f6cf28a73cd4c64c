import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization } from './organization.ts';

test('chatctl export writes an organization to a new folder only, and chatctl import parlance names a damaged file', async (t) => {
  const { folder, path, run } = await organization(t);
  const [out, foreign] = [join(folder, 'out'), join(folder, 'foreign')];
  await mkdir(foreign);
  await writeFile(join(foreign, 'mine.txt'), '');
  const refused = await run('export', foreign);
  assert.equal(refused.exitCode, EXIT.refused);
  assert.match(refused.err, /foreign is not empty\. Choose a new folder\./);
  const done = await run('export', out, '--json');
  assert.equal(JSON.parse(done.out).scope, 'full', done.err);
  assert.match((await run('export', out)).err, /contains a complete export/);

  const taken = await run('import', 'parlance', out);
  assert.match(taken.err, /already contains the organization "Example"\.\n.* with --merge\.$/m);
  for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true });
  const option = await run('import', 'parlance', out, '--dry-run');
  assert.match(option.err, /need --merge/);
  assert.equal(option.exitCode, EXIT.usage);
  await appendFile(join(out, 'users.jsonl'), '\n');
  const damaged = await run('import', 'parlance', out);
  assert.match(damaged.err, /The file users\.jsonl is damaged/);
  assert.equal(damaged.exitCode, EXIT.usage);
  await assert.rejects(stat(path), 'there is no database');
});

test('chatctl users export names an unknown account and keeps an existing file', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'person.zip');
  const unknown = await run('users', 'export', 'none@example.com', file);
  assert.match(unknown.err, /There is no account with the address none@example\.com/);
  await writeFile(file, 'mine');
  const taken = await run('users', 'export', 'none@example.com', file);
  assert.notEqual(taken.exitCode, EXIT.done);
  assert.equal((await stat(file)).size, 4);
});

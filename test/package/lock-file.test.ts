import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingFrom, readLockFile } from './lock-file.ts';

test('the lock file is complete for every platform; `npm run lock` completes it', async () => {
  assert.deepEqual([...missingFrom(await readLockFile()).keys()], []);
});

test('the lock file contains no download addresses', async () => {
  const { packages } = await readLockFile();
  assert.deepEqual(
    Object.keys(packages).filter((place) => 'resolved' in (packages[place] as object)),
    [],
  );
});

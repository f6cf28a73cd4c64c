import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { currentProfile, keepProfile, profileNames, removeProfile, useProfile } from '../../cli/profiles.ts';

test('a kept login is readable by its user alone, also where it takes the place of another', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const key of ['first', 'second']) {
    const path = keepProfile(folder, 'ada', { email: 'ada@example.com', key, site: 'https://chat.example.com' });
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  useProfile(folder, 'ada');
  assert.equal(currentProfile(folder), 'ada');
});

test('removing a login ends its use, and leaves another current one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const keep = (name: string) =>
    keepProfile(folder, name, { email: `${name}@example.com`, key: 'key', site: 'https://chat.example.com' });
  keep('ada');
  keep('ben');
  useProfile(folder, 'ada');
  removeProfile(folder, 'ben');
  assert.deepEqual([profileNames(folder), currentProfile(folder)], [['ada'], 'ada']);
  removeProfile(folder, 'ada');
  keep('ada');
  assert.deepEqual([profileNames(folder), currentProfile(folder)], [['ada'], undefined]);
});

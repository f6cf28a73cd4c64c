import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { currentProfile, keepProfile, useProfile } from '../../cli/profiles.ts';

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

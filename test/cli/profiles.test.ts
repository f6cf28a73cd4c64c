import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import {
  currentProfile,
  keepProfile,
  profileNames,
  profilePath,
  removeProfile,
  useProfile,
} from '../../cli/profiles.ts';
import { inEnvironment } from './environment.ts';

/** Profiles are stored beside other files. */
const FOLDER = { '.config/chatctl/other': '' };

test('a saved login is readable only by its user, also after it was overwritten', () => {
  inEnvironment({}, FOLDER, () => {
    for (const key of ['first', 'second']) {
      keepProfile('ada', { email: 'ada@example.com', key, site: 'https://chat.example.com' });
      const path = profilePath('ada');
      assert.equal(statSync(path).mode & 0o777, 0o600);
    }
    useProfile('ada');
    assert.equal(currentProfile(), 'ada');
  });
});

test('removing the current login clears it, and removing another keeps it', () => {
  const keep = (name: string) =>
    keepProfile(name, { email: `${name}@example.com`, key: 'key', site: 'https://chat.example.com' });
  inEnvironment({}, FOLDER, () => {
    keep('ada');
    keep('ben');
    useProfile('ada');
    removeProfile('ben');
    assert.deepEqual([profileNames(), currentProfile()], [['ada'], 'ada']);
    removeProfile('ada');
    keep('ada');
    assert.deepEqual([profileNames(), currentProfile()], [['ada'], undefined]);
  });
});

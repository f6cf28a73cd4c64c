import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword, passwordMatches } from '../../../lib/domains/users/passwords.ts';

test('a hash matches its password and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.equal(await passwordMatches('correct horse', hash), true);
  assert.equal(await passwordMatches('correct horses', hash), false);
  assert.equal(await passwordMatches('correct horse', null), false);
});

test('a hash without its cost, from an earlier version, is read with the cost of that version', async () => {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync('correct horse', salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  const hash = `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
  assert.equal(await passwordMatches('correct horse', hash), true);
  assert.equal(await passwordMatches('correct horses', hash), false);
});

test('the cost of new hashes is 15 by default, and each hash names its cost', async () => {
  const file = new URL('../../../lib/domains/users/passwords.ts', import.meta.url);
  // A copy of the module, whose cost no test has set.
  const { hashPassword: hashByDefault } = (await import(
    `${file.href}?fresh`
  )) as typeof import('../../../lib/domains/users/passwords.ts');
  const hash = await hashByDefault('correct horse');
  assert.match(hash, /^scrypt\$15\$/);
  assert.equal(await passwordMatches('correct horse', hash), true);
});

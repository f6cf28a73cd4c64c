import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { tsImport } from 'tsx/esm/api';
import { hashPassword, passwordMatches } from '../../../lib/domains/users/passwords.ts';

test('a hash matches its password and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.equal(await passwordMatches('correct horse', hash), true);
  assert.equal(await passwordMatches('correct horses', hash), false);
  assert.equal(await passwordMatches('correct horse', null), false);
});

test('a dry run hashes no password, and its hash matches none', async () => {
  const hash = await hashPassword('correct horse', { isDryRun: true });
  assert.equal(hash, 'none');
  assert.equal(await passwordMatches('correct horse', hash), false);
});

test('a hash without a cost has the default cost of older versions', async () => {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync('correct horse', salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  const hash = `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
  assert.equal(await passwordMatches('correct horse', hash), true);
  assert.equal(await passwordMatches('correct horses', hash), false);
});

test('new hashes have the default cost unless a test sets another', async () => {
  // A copy of the module with the default cost.
  const { href } = new URL('../../../lib/domains/users/passwords.ts', import.meta.url);
  const original: typeof import('../../../lib/domains/users/passwords.ts') = await tsImport(
    `${href}?original`,
    import.meta.url,
  );
  const hash = await original.hashPassword('correct horse');
  const [, salt = '', key = '', ...rest] = hash.split('$');
  assert.deepEqual(rest, []);
  const options = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, options);
  assert.equal(key, expected.toString('base64url'));
  assert.equal(await passwordMatches('correct horse', hash), true);
});

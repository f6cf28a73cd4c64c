import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32, otpauthUrl, stepOfCode } from '../../lib/rules/totp.ts';

/** The test values of RFC 6238, appendix B, cut to six digits. */
const SECRET = Buffer.from('12345678901234567890');
const VALUES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of VALUES)
    assert.equal(stepOfCode(SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
});

test('a code counts in its step and in the steps before and after, and in no other', () => {
  const [at, code] = [1_111_111_109_000, '081804'];
  const counts = (seconds: number) => stepOfCode(SECRET, code, at + seconds * 1000) !== undefined;
  assert.deepEqual([-60, -30, 0, 30, 60].map(counts), [false, true, true, true, false]);
});

test('a code of another length, or with other characters, is wrong', () => {
  for (const code of ['', '81804', '0081804', '081804\0', 'abcdef'])
    assert.equal(stepOfCode(SECRET, code, 1_111_111_109_000), undefined);
});

test('the URL for an authenticator app has the secret in base32, and an issuer without a colon', () => {
  assert.equal(base32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = otpauthUrl(base32(SECRET), { issuer: 'Harbour: & Sons', account: 'olga+x@example.com' });
  assert.equal(
    url,
    'otpauth://totp/Harbour%20%20%26%20Sons:olga%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Harbour%20%20%26%20Sons',
  );
});

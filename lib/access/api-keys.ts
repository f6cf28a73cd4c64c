import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/**
 * An API key is derived, never stored: HMAC-SHA512 of the organization's secret over the account and
 * its key generation, written as 32 ASCII letters and digits. Raising the generation rotates it.
 */
export function deriveApiKey(secret: string, userId: number, generation: number): string {
  let key = '';
  for (let block = 0; key.length < LENGTH; block++) {
    const digest = createHmac('sha512', secret).update(`api-key:${userId}:${generation}:${block}`).digest();
    for (const byte of digest) {
      // 248 is the largest multiple of 62 in a byte: above it letters would not be equally likely.
      if (byte < 248 && key.length < LENGTH) key += ALPHABET[byte % 62];
    }
  }
  return key;
}

/** In constant time for equal lengths; the length of a key is public. */
export function sameKey(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

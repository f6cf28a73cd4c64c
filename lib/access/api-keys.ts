import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/**
 * An API key is derived, never stored: from the organization's secret, the account and its key generation.
 * Raising the generation rotates it.
 */
export function deriveApiKey(secret: string, userId: number, generation: number): string {
  return deriveKey(secret, `api-key:${userId}:${generation}`, LENGTH);
}

/** By which the web hook of a bot knows who calls it. A new API key of the bot comes with a new one. */
export function deriveWebhookToken(secret: string, bot: { id: number; key_generation: number }): string {
  return deriveKey(secret, `outgoing-webhook:${bot.id}:${bot.key_generation}`, LENGTH);
}

/** HMAC-SHA512 of the organization's secret over what the key is for, written as ASCII letters and digits. */
export function deriveKey(secret: string, purpose: string, length: number): string {
  let key = '';
  for (let block = 0; key.length < length; block++) {
    const digest = createHmac('sha512', secret).update(`${purpose}:${block}`).digest();
    for (const byte of digest) {
      // 248 is the largest multiple of 62 in a byte: above it letters would not be equally likely.
      if (byte < 248 && key.length < length) key += ALPHABET[byte % 62];
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

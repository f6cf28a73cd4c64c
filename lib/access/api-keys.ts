import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** An API key, from the organization's secret. Keys are not stored. A higher generation replaces the key. */
export function deriveApiKey(secret: string, userId: number, generation: number): string {
  return deriveKey(secret, `api-key:${userId}:${generation}`, LENGTH);
}

/** The token that identifies the server in webhook calls of a bot. Replacing the bot's API key also replaces it. */
export function deriveWebhookToken(secret: string, bot: { id: number; key_generation: number }): string {
  return deriveKey(secret, `outgoing-webhook:${bot.id}:${bot.key_generation}`, LENGTH);
}

/** HMAC-SHA512 of `purpose` with the organization's secret, in ASCII letters and digits. */
export function deriveKey(secret: string, purpose: string, length: number): string {
  let key = '';
  for (let block = 0; key.length < length; block++) {
    const digest = createHmac('sha512', secret).update(`${purpose}:${block}`).digest();
    for (const byte of digest) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would make some letters more likely.
      if (byte < 248 && key.length < length) key += ALPHABET[byte % 62];
    }
  }
  return key;
}

/** Compares keys in constant time. The length of a key is not secret. */
export function sameKey(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

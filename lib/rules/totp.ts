import { createHmac } from 'node:crypto';
import { sameKey } from './credentials.ts';

/*
 * Codes of authenticator apps (RFC 6238): SHA-1, six digits, a new code every 30 seconds. The apps agree on these values
 * only. Two functions of node:crypto are shorter than the configuration of a library with its plugins.
 */

const STEP_MS = 30_000;
const DIGITS = 6;
/** Clocks of phones differ, and people type slowly: the code before and the code after count too. */
const TOLERATED_STEPS = 1;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a time step (RFC 4226). */
function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time step of a code that counts now. undefined: the code is wrong. @param now milliseconds since the epoch */
export function stepOfCode(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS);
  for (let step = current - TOLERATED_STEPS; step <= current + TOLERATED_STEPS; step++)
    if (sameKey(code, codeAt(secret, step))) return step;
  return undefined;
}

/** In base32 (RFC 4648) without padding, for a multiple of 5 bytes. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** The address that a QR code gives to an authenticator app. @param secret in base32 */
export function otpauthUrl(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  // A colon would end the name of the issuer.
  const name = issuer.replaceAll(':', ' ');
  const label = `${encodeURIComponent(name)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(name)}`;
}

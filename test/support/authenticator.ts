import { createHmac } from 'node:crypto';

/** What an authenticator app shows for an `otpauth:` URL. @param now milliseconds since the epoch */
export function codeOf(url: string, now: number): string {
  const letters = new URL(url).searchParams.get('secret') ?? '';
  let bits = 0n;
  for (const letter of letters) bits = (bits << 5n) | BigInt('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  const secret = Buffer.from(bits.toString(16).padStart((letters.length * 5) / 4, '0'), 'hex');
  const step = Buffer.from(
    Math.floor(now / 30_000)
      .toString(16)
      .padStart(16, '0'),
    'hex',
  );
  const mac = createHmac('sha1', secret).update(step).digest('hex');
  const from = 2 * Number.parseInt(mac.slice(-1), 16);
  const number = Number.parseInt(mac.slice(from, from + 8), 16) % 0x80000000;
  return String(number % 1_000_000).padStart(6, '0');
}

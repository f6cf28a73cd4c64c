import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { BadRequest } from '../../kernel/errors.ts';

/** scrypt's N is two to this power: about 60 ms and 32 MiB a hash on a usual machine. */
const DEFAULT_COST = 15;
const KEY_LENGTH = 32;

let newCost = DEFAULT_COST;

/** For tests, which hash hundreds of passwords: the cost of hashes from now on. Each hash names its own. */
export function setPasswordCost(cost: number): void {
  newCost = cost;
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_LENGTH, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** `scrypt$<cost>$<salt>$<key>`, the last two base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, newCost);
  return ['scrypt', newCost, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** An absent hash takes as long as a wrong password, so that accounts cannot be told apart by time. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const parts = hash?.split('$');
  // Hashes of earlier versions do not name their cost.
  if (parts?.length === 3) parts.splice(1, 0, String(DEFAULT_COST));
  const [scheme, cost, salt, key] = parts ?? [];
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) {
    await derive(password, Buffer.alloc(16), newCost);
    return false;
  }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  return timingSafeEqual(actual, Buffer.from(key, 'base64url'));
}

/** The same in every copy of the package. */
const BRAND: unique symbol = Symbol.for('parlance.WrongPassword');

/** The present password, asked for again before something of the account is changed, is another. */
export class WrongPassword extends BadRequest {
  readonly [BRAND] = true;

  constructor() {
    super('The present password is wrong.');
  }

  /** A server of another copy of the package counts it too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }
}

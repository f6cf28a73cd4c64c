import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { TokenExpired, TokenFromOtherOrganization, TokenInvalid, Unauthorized } from '../base/errors.ts';

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

/** `token`: for programs and pages that must not hold an API key. `cookie`: from the login page. */
export type LoginKind = 'token' | 'cookie';

/** What the text of a login says about its account. It is not secret, but signed. */
interface LoginClaims {
  readonly userId: number;
  /** Generation of the API key when the login began. A new key ends it. */
  readonly keyGeneration: number;
  /** Generation of the account's logins. */
  readonly loginGeneration: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly mayWrite: boolean;
  /** IDs of the channels to which a token is limited, ascending. Absent: it is not limited. */
  readonly rooms?: readonly number[] | undefined;
  readonly id: string;
}

/** What signs a login. Nothing is stored. */
interface Signing {
  readonly kind: LoginKind;
  /** The organization's secret. */
  readonly secret: string;
  /** Secrets of the host. The first one signs, and all are accepted. */
  readonly hostSecrets: readonly string[];
  /** For cookies, so that a new password ends them. Programs with an API key or a token continue. */
  readonly passwordHash: string | null;
}

const FORM =
  /^parlance\.([tc])\.([\w-]{8})\.([0-9]{1,15})\.([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,11})\.([rw])((?:_[0-9]{1,15}){0,20})\.([\w-]{12})\.([\w-]{43})$/;
/** Rooms of a token. */
export const MAX_ROOMS = 20;
/** Characters. */
const MAX_LENGTH = 500;

const LETTERS = { token: 't', cookie: 'c' } as const;

/** Whether a bearer token is one of this server, and not of the embedding program. */
export const isLoginToken = (text: string) => text.startsWith(`parlance.${LETTERS.token}.`);

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Tells organizations apart. Reveals nothing about the secret. */
const markOf = (secret: string) => hmac(secret, 'mark of the organization').slice(0, 8);

/** The keys of everything that browsers keep and send back, the one to sign with first. */
export const signingKeys = (secret: string, hostSecrets: readonly string[]): string[] =>
  hostSecrets.length === 0 ? [secret] : hostSecrets.map((one) => hmac(one, `logins of:${secret}`));

/** Signatures of a login, the one to sign with first. */
function signatures({ secret, hostSecrets, kind, passwordHash }: Signing, body: string): string[] {
  return signingKeys(secret, hostSecrets).map((key) =>
    hmac(key, `login:${body}:${kind === 'cookie' ? (passwordHash ?? '') : ''}`),
  );
}

/** The ID of a login says when it expires, so that an ended login is remembered no longer than that. */
const idOf = (expiresAt: number, random: string) => `${expiresAt}-${random}`;

/** Seconds since the epoch when a login with this ID expires. undefined if the ID is malformed. */
export function expiryOf(id: string): number | undefined {
  const [, expiresAt] = /^([0-9]{1,11})-[\w-]{12}$/.exec(id) ?? [];
  return expiresAt === undefined ? undefined : Number(expiresAt);
}

/** A new login: its ID, and its text in characters that cookies and headers allow. */
export function signLogin(signing: Signing, claims: Omit<LoginClaims, 'id'>): { id: string; text: string } {
  const { userId, keyGeneration, loginGeneration, expiresAt, mayWrite, rooms = [] } = claims;
  const random = randomBytes(9).toString('base64url');
  const right = [mayWrite ? 'w' : 'r', ...rooms].join('_');
  const facts = [markOf(signing.secret), userId, keyGeneration, loginGeneration, expiresAt, right, random];
  const body = `parlance.${LETTERS[signing.kind]}.${facts.join('.')}`;
  return { id: idOf(expiresAt, random), text: `${body}.${signatures(signing, body)[0]}` };
}

/** @throws TokenInvalid unless the text has the form of a login of this kind */
export function claimedUser(kind: LoginKind, text: string): number {
  const found = text.length <= MAX_LENGTH ? FORM.exec(text) : null;
  if (found?.[1] !== LETTERS[kind]) throw new TokenInvalid();
  return Number(found[3]);
}

/**
 * Checks the signature and the time of a login. Every call checks its account.
 * @param now milliseconds since the epoch
 * @throws TokenInvalid, TokenFromOtherOrganization, TokenExpired
 */
export function checkLogin(signing: Signing, text: string, now: number): LoginClaims {
  claimedUser(signing.kind, text);
  const [, , mark, userId, keyGeneration, loginGeneration, expiresAt, right, rooms = '', random = '', given = ''] =
    FORM.exec(text) ?? [];
  if (mark !== markOf(signing.secret)) throw new TokenFromOtherOrganization();
  const body = text.slice(0, text.lastIndexOf('.'));
  if (!signatures(signing, body).some((signature) => sameKey(given, signature))) throw new TokenInvalid();
  if (now >= Number(expiresAt) * 1000) throw new TokenExpired();
  return {
    userId: Number(userId),
    keyGeneration: Number(keyGeneration),
    loginGeneration: Number(loginGeneration),
    expiresAt: Number(expiresAt),
    mayWrite: right === 'w',
    ...(rooms === '' ? {} : { rooms: rooms.slice(1).split('_').map(Number) }),
    id: idOf(Number(expiresAt), random),
  };
}

export const accountDeactivated = () =>
  new Unauthorized('This account has been deactivated. Ask an administrator to reactivate it.', {
    reason: 'deactivated',
  });

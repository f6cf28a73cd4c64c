import { createHmac } from 'node:crypto';
import { TokenExpired, TokenFromOtherOrganization, TokenInvalid } from '../base/errors.ts';
import { sameKey } from './api-keys.ts';

/** `token`: for programs and pages that must not hold an API key. `cookie`: from the login page. */
export type LoginKind = 'token' | 'cookie';

/** What the text of a login says about its account. It is not secret, but signed. */
export interface LoginClaims {
  readonly userId: number;
  /** Generation of the API key when the login began. A new key ends it. */
  readonly keyGeneration: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly mayWrite: boolean;
}

/** What signs a login. Nothing is stored. */
interface Signing {
  readonly kind: LoginKind;
  /** The organization's secret. */
  readonly secret: string;
  /** For cookies, so that a new password ends them. Programs with an API key or a token continue. */
  readonly passwordHash: string | null;
}

const FORM = /^parlance\.([tc])\.([\w-]{8})\.([0-9]{1,15})\.([0-9]{1,9})\.([0-9]{1,11})\.([rw])\.([\w-]{43})$/;
/** Characters. */
const MAX_LENGTH = 200;

const LETTERS = { token: 't', cookie: 'c' } as const;

/** Whether a bearer token is one of this server, and not of the embedding program. */
export const isLoginToken = (text: string) => text.startsWith(`parlance.${LETTERS.token}.`);

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Tells organizations apart. Reveals nothing about the secret. */
const markOf = (secret: string) => hmac(secret, 'mark of the organization').slice(0, 8);

function signature({ secret, kind, passwordHash }: Signing, body: string): string {
  return hmac(secret, `login:${body}:${kind === 'cookie' ? (passwordHash ?? '') : ''}`);
}

/** The text of a login, in characters that cookies and headers allow. */
export function signLogin(signing: Signing, { userId, keyGeneration, expiresAt, mayWrite }: LoginClaims): string {
  const letter = LETTERS[signing.kind];
  const facts = [letter, markOf(signing.secret), userId, keyGeneration, expiresAt, mayWrite ? 'w' : 'r'];
  const body = `parlance.${facts.join('.')}`;
  return `${body}.${signature(signing, body)}`;
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
  const [, , mark, userId, keyGeneration, expiresAt, right, given = ''] = FORM.exec(text) ?? [];
  if (mark !== markOf(signing.secret)) throw new TokenFromOtherOrganization();
  if (!sameKey(given, signature(signing, text.slice(0, text.lastIndexOf('.'))))) throw new TokenInvalid();
  if (now >= Number(expiresAt) * 1000) throw new TokenExpired();
  return {
    userId: Number(userId),
    keyGeneration: Number(keyGeneration),
    expiresAt: Number(expiresAt),
    mayWrite: right === 'w',
  };
}

import { createHmac } from 'node:crypto';

/** Users log in with a password only a few times a year, because clients keep their API key. */
export const KNOWN_LOGIN_MS = 180 * 24 * 3_600_000;
/** Networks and client programs per account: home, work, mobile, and room for changing addresses. */
export const MAX_KNOWN_LOGINS = 20;

/**
 * What the database stores of the networks and client programs of successful logins. It is an HMAC per account, so that
 * it does not reveal who was where.
 */
export const loginDigest = (secret: string, userId: number, kind: 'network' | 'client', name: string): string =>
  createHmac('sha256', secret).update(`${kind}:${userId}:${name}`).digest('base64url');

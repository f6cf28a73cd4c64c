import { createHmac, randomBytes } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';
import { sameKey, signingKeys } from '../rules/credentials.ts';

/** A login that has begun and continues at an identity provider. */
export interface LoginAttempt {
  /** ID of the provider. A login that began at one provider must not end with the answer of another. */
  provider: string;
  /** One-time pad of an app that waits for its key, followed by `t` for a terminal. Empty: the browser itself logs in. */
  otp: string;
  /** Values for OpenID Connect. */
  state: string;
  nonce: string;
  verifier: string;
}

const MINUTES = 15;
const FORM = /^([\w-]{32})\.([0-9]{1,15})\.([a-z0-9-]{1,30})\.([0-9a-fA-F]{64}t?)?\.([\w-]{43})$/;

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/**
 * Begins a login. The browser keeps `text`. It has a signature, so any process can continue. It does not contain the
 * values that the provider gets: they come from the secret.
 */
export async function beginAttempt(
  { storage, clock, options }: Engine,
  { provider, otp }: Pick<LoginAttempt, 'provider' | 'otp'>,
): Promise<LoginAttempt & { text: string; maxAge: number }> {
  const organization = await storage.read((tx) => tx.organization.get());
  const [key = ''] = signingKeys(organization?.secret ?? '', options.loginSecrets);
  const random = randomBytes(24).toString('base64url');
  const body = [random, clock.now() + MINUTES * 60_000, provider, otp].join('.');
  return { ...valuesOf(key, body), provider, otp, text: `${body}.${signature(key, body)}`, maxAge: MINUTES * 60 };
}

/** Undefined if the text is not one of ours, or too old. */
export async function continueAttempt(
  { storage, clock, options }: Engine,
  text: string,
): Promise<LoginAttempt | undefined> {
  const [, , end, provider = '', otp = '', given = ''] = FORM.exec(text) ?? [];
  if (end === undefined || clock.now() >= Number(end)) return undefined;
  const organization = await storage.read((tx) => tx.organization.get());
  const body = text.slice(0, text.lastIndexOf('.'));
  const keys = signingKeys(organization?.secret ?? '', options.loginSecrets);
  const key = keys.find((one) => sameKey(given, signature(one, body)));
  return key === undefined ? undefined : { ...valuesOf(key, body), provider, otp };
}

const signature = (key: string, body: string) => hmac(key, `login attempt:${body}`);

const valuesOf = (key: string, body: string) => ({
  state: hmac(key, `state of:${body}`),
  nonce: hmac(key, `nonce of:${body}`),
  verifier: hmac(key, `verifier of:${body}`),
});

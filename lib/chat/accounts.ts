import { TokenInvalid, Unauthorized } from '../base/errors.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import type { User } from '../model/users.ts';
import { accountDeactivated, checkLogin, claimedUser, type LoginKind, signLogin } from '../rules/credentials.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** An account: user ID, e-mail address, or an object with `user_id` or with `external_id`, the ID in your program. */
export type UserReference = number | string | { user_id: number } | { external_id: string };

/** A user ID, an e-mail address, or an object with the external ID. */
export function plainReference(user: UserReference): number | string | { external_id: string } {
  return typeof user === 'object' && 'user_id' in user ? user.user_id : user;
}

export async function findAccount(tx: Transaction, user: UserReference): Promise<User | undefined> {
  const reference = plainReference(user);
  if (typeof reference === 'object') return (await tx.users.byExternalIds([reference.external_id]))[0];
  return typeof reference === 'number' ? tx.users.byId(reference) : tx.users.byEmail(reference);
}

/** @throws Unauthorized */
export async function accessAccount(tx: Transaction, user: UserReference): Promise<User> {
  const account = await findAccount(tx, user);
  if (!account) throw noAccount(user);
  return account;
}

export function noAccount(user: UserReference): Unauthorized {
  const reference = plainReference(user);
  const which =
    typeof reference === 'object'
      ? `the external ID ${reference.external_id}`
      : `${typeof reference === 'number' ? 'ID' : 'the address'} ${reference}`;
  return new Unauthorized(`There is no account with ${which}.`);
}

/** A caller with a token, or with the cookie of the login page. */
export type LoggedIn = Required<Pick<Caller, 'keyGeneration' | 'login'>> & { userId: number };

/** Days after which users of the login page log in again. */
const COOKIE_DAYS = 30;
const DAY_S = 86_400;

/**
 * The account of a token or a cookie. The result can be cached until `login.expiresAt`. Pass all of it with every call,
 * since its API key and password may change.
 * @throws TokenInvalid, TokenFromOtherOrganization, TokenExpired; Unauthorized if the account is deactivated
 */
export async function checkedLogin(
  { storage, clock, options }: Engine,
  kind: LoginKind,
  text: string,
): Promise<LoggedIn> {
  const claimed = claimedUser(kind, text);
  const { organization, user } = await storage.read(async (tx) => {
    return { organization: await tx.organization.get(), user: await tx.users.byId(claimed) };
  });
  if (!organization) throw new TokenInvalid();
  const passwordHash = user?.password_hash ?? null;
  const signing = { kind, secret: organization.secret, hostSecrets: options.loginSecrets, passwordHash };
  const { userId, keyGeneration, ...claims } = checkLogin(signing, text, clock.now());
  if (!user?.is_active) throw accountDeactivated();
  const login = { kind, ...claims, ...(kind === 'cookie' ? { passwordHash } : {}) };
  return { userId, keyGeneration, login };
}

/**
 * The value of a new cookie for an account that has logged in, and its age limit in seconds.
 * @param account with the generation of the API key that it has sent, if any
 */
export async function newCookie(
  { storage, clock, options }: Engine,
  { userId, keyGeneration }: { userId: number; keyGeneration?: number },
): Promise<{ value: string; maxAge: number }> {
  const { organization, user } = await storage.read(async (tx) => {
    return { organization: await tx.organization.get(), user: await tx.users.byId(userId) };
  });
  if (!organization || !user) throw new Unauthorized('This account does not exist.');
  const maxAge = COOKIE_DAYS * DAY_S;
  const { text: value } = signLogin(
    {
      kind: 'cookie',
      secret: organization.secret,
      hostSecrets: options.loginSecrets,
      passwordHash: user.password_hash,
    },
    {
      userId,
      keyGeneration: keyGeneration ?? user.key_generation,
      loginGeneration: user.login_generation,
      expiresAt: Math.floor(clock.now() / 1000) + maxAge,
      mayWrite: true,
    },
  );
  return { value, maxAge };
}

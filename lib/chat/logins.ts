import { checkLogin, claimedUser, type LoginKind, signLogin } from '../access/signed-logins.ts';
import { TokenInvalid, Unauthorized } from '../base/errors.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';

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
  if (!user?.is_active) throw new Unauthorized('This account is deactivated. Ask an administrator to reactivate it.');
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

import { TokenInvalid, Unauthorized } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { endEarlierAccess, planAdoption } from '../domains/users/adoption.ts';
import { signedIn } from '../domains/users/passwords.ts';
import { auditEntry } from '../engine/audit.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import type { User } from '../model/users.ts';
import type { Adopt } from '../rules/adoption.ts';
import {
  accountDeactivated,
  checkLogin,
  claimedUser,
  deriveApiKey,
  type LoginKind,
  sameKey,
  signLogin,
} from '../rules/credentials.ts';
import { emailKey } from '../rules/fold.ts';
import { isBot } from '../rules/roles.ts';
import { accessAccount, plainReference, type UserReference } from './accounts.ts';

/** A caller that has authenticated with an API key. */
export type ProvenCaller = Required<Pick<Caller, 'address' | 'keyGeneration'>> & { userId: number };

/**
 * The account of these Basic credentials; throws `Unauthorized`. The result can be cached. Pass all of it with every
 * call, since the account may change its address, and the key may become invalid.
 */
export async function authenticate({ storage }: Engine, email: string, apiKey: string): Promise<ProvenCaller> {
  const given = apiKey.trim();
  if (!/^[A-Za-z0-9]{32}$/.test(given))
    throw new Unauthorized('This API key is malformed: a key has exactly 32 letters and digits.');
  const address = emailKey(email);
  const entry = await storage.read(async (tx) => {
    const user = await tx.users.byEmail(address);
    const organization = await tx.organization.get();
    if (!user || !organization || user.is_system_bot) return undefined;
    return { user, key: deriveApiKey(organization.secret, user.id, user.key_generation) };
  });
  if (!entry || !sameKey(given, entry.key))
    throw new Unauthorized('The API key does not belong to this e-mail address.');
  if (!entry.user.is_active) throw accountDeactivated();
  return { userId: entry.user.id, address, keyGeneration: entry.user.key_generation };
}

/** Records an attempt with a wrong API key in the audit log. */
export function noteWrongKey(
  { refusals, clock }: Engine,
  attempt: { client: string; network: string | null; request: string | null },
): void {
  refusals.add({ entry: auditEntry(clock.now(), 'authenticate', { status: 401, code: 'UNAUTHORIZED', ...attempt }) });
}

/**
 * The ID of an account; throws `Unauthorized` if there is none. An account that is named by its address must be
 * adoptable; throws `AdoptionRefused`.
 */
export async function resolveUser(engine: Engine, user: UserReference, adopt: Adopt = 'verified'): Promise<number> {
  const reference = plainReference(user);
  if (typeof reference === 'number') return reference;
  const account = await engine.storage.read((tx) => accessAccount(tx, reference));
  // Members choose the addresses of their bots. The host knows its people by theirs.
  if (typeof reference === 'string' && isBot(account)) throw new Unauthorized('This address belongs to a bot.');
  if (typeof reference === 'string' && planAdoption(account, adopt) === 'reset') {
    await engine.asSystem('write', async (context) => {
      const now = await accessAccount(context.tx, account.id);
      if (planAdoption(now, adopt) === 'reset') await endEarlierAccess(context, now);
    });
  }
  return account.id;
}

/** An account that has logged in. `keyGeneration`: of its API key at that time. Undefined: without a check. */
export interface Entered {
  userId: number;
  keyGeneration?: number;
}

/** The account with an address, for a login that goes on after its password was checked. Read it before. */
export const accountAt = ({ storage }: Engine, address: string): Promise<Required<Entered> | undefined> =>
  storage.read(async (tx) => {
    const user = await tx.users.byEmail(emailKey(address));
    return user && { userId: user.id, keyGeneration: user.key_generation };
  });

/** Otherwise, a login with a password that ends in between would open what the account has afterwards. */
function checkGoesOn({ keyGeneration }: Entered, user: User): void {
  if (keyGeneration !== undefined && keyGeneration !== user.key_generation)
    throw new Unauthorized('Your logins have just ended. Log in again.');
}

/** What an account that has logged in enters in a client. @throws Unauthorized if its logins have ended since */
export const keyOf = ({ storage }: Engine, account: Entered): Promise<{ email: string; api_key: string }> =>
  storage.read(async (tx) => {
    const user = await accessAccount(tx, account.userId);
    checkGoesOn(account, user);
    return signedIn(present(await tx.organization.get()), user);
  });

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
 * @throws Unauthorized if its logins have ended since
 */
export async function newCookie(
  { storage, clock, options }: Engine,
  account: Entered,
): Promise<{ value: string; maxAge: number }> {
  const { userId } = account;
  const { organization, user } = await storage.read(async (tx) => {
    return { organization: await tx.organization.get(), user: await tx.users.byId(userId) };
  });
  if (!organization || !user) throw new Unauthorized('This account does not exist.');
  checkGoesOn(account, user);
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
      keyGeneration: user.key_generation,
      loginGeneration: user.login_generation,
      expiresAt: Math.floor(clock.now() / 1000) + maxAge,
      mayWrite: true,
    },
  );
  return { value, maxAge };
}

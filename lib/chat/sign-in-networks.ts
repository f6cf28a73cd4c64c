import { DIRECTORY_ISSUER } from '../domains/users/external-login.ts';
import type { Engine } from '../engine/engine.ts';
import type { User } from '../model/users.ts';
import { KNOWN_LOGIN_MS, loginDigest, MAX_KNOWN_LOGINS } from '../rules/known-logins.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { findAccount, type UserReference } from './accounts.ts';

/**
 * State of an account for the rate limit of wrong passwords, which restarts when an administrator unlocks the
 * account. Also answers for accounts that do not exist.
 */
export function signInState(
  { storage, clock }: Engine,
  user: UserReference | { directory_id: string },
  network?: string,
) {
  return storage.read(async (tx) => {
    const account =
      typeof user === 'object' && 'directory_id' in user
        ? await accountInDirectory(tx, user.directory_id)
        : await findAccount(tx, user);
    if (!account) return { timesUnlocked: 0, isKnownNetwork: false };
    const digest = network !== undefined && (await networkDigest(tx, account, network));
    const since = clock.now() - KNOWN_LOGIN_MS;
    const isKnownNetwork = digest !== false && (await tx.signInNetworks.isKnown(account.id, digest, since));
    return { timesUnlocked: account.sign_in_unlocks, isKnownNetwork };
  });
}

async function accountInDirectory(tx: Transaction, id: string): Promise<User | undefined> {
  const holder = await tx.externalLogins.holder(DIRECTORY_ISSUER, id);
  return holder === undefined ? undefined : tx.users.byId(holder);
}

/** Records a successful password sign-in from this network address. */
export async function rememberNetwork(
  { storage, clock, logger }: Engine,
  user: UserReference,
  network: string,
): Promise<void> {
  const work = async (tx: Transaction) => {
    const account = await findAccount(tx, user);
    if (!account) return;
    const digest = await networkDigest(tx, account, network);
    await tx.signInNetworks.remember(account.id, digest, { now: clock.now(), limit: MAX_KNOWN_LOGINS });
  };
  // A sign-in must succeed even if the database is read-only.
  await storage.write(work, 'silent').catch((error: unknown) => {
    logger.warn({ error }, 'the network address of a sign-in was not recorded');
  });
}

/** For the database. Sign-ins are rare, and the next one may reach another process, so a cache would not help. */
async function networkDigest(tx: Transaction, { id }: User, network: string): Promise<string> {
  const organization = await tx.organization.get();
  return loginDigest(organization?.secret ?? '', id, 'network', network);
}

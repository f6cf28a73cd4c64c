import { createHmac } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';
import type { User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { findAccount, type UserReference } from './accounts.ts';

/** Users sign in only a few times a year, because clients keep their API key. */
const NETWORK_TTL_MS = 180 * 24 * 3_600_000;
/** Per account: home, work, mobile, and room for changing addresses. */
const MAX_NETWORKS = 20;

/**
 * State of an account for the rate limit of wrong passwords, which restarts when an administrator unlocks the
 * account. Also answers for accounts that do not exist.
 */
export function signInState({ storage, clock }: Engine, user: UserReference, network?: string) {
  return storage.read(async (tx) => {
    const account = await findAccount(tx, user);
    if (!account) return { timesUnlocked: 0, isKnownNetwork: false };
    const digest = network !== undefined && (await networkDigest(tx, account, network));
    const since = clock.now() - NETWORK_TTL_MS;
    const isKnownNetwork = digest !== false && (await tx.signInNetworks.isKnown(account.id, digest, since));
    return { timesUnlocked: account.sign_in_unlocks, isKnownNetwork };
  });
}

/** Records a successful password sign-in from this network address. */
export async function rememberNetwork(
  { storage, clock, logger }: Engine,
  address: string,
  network: string,
): Promise<void> {
  const work = async (tx: Transaction) => {
    const account = await findAccount(tx, address);
    if (!account) return;
    const digest = await networkDigest(tx, account, network);
    await tx.signInNetworks.remember(account.id, digest, { now: clock.now(), limit: MAX_NETWORKS });
  };
  // A sign-in must succeed even if the database is read-only.
  await storage.write(work, 'silent').catch((error: unknown) => {
    logger.warn({ error }, 'the network address of a sign-in was not recorded');
  });
}

/**
 * Network addresses of successful password sign-ins are stored in the database. Sign-ins are rare, so a cache in
 * memory would be lost before the next one, which may also reach another process. The table holds an HMAC per account
 * and address, so that it does not reveal who was where.
 */
async function networkDigest(tx: Transaction, { id }: User, network: string): Promise<string> {
  const organization = await tx.organization.get();
  return createHmac('sha256', organization?.secret ?? '')
    .update(`network:${id}:${network}`)
    .digest('base64url');
}

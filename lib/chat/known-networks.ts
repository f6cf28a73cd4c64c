import { createHmac } from 'node:crypto';
import type { User } from '../model/users.ts';
import type { Transaction } from '../storage/interface/storage.ts';

const DAY_MS = 24 * 3_600_000;
/** Users sign in only a few times a year, because clients keep their API key. */
const KNOWN_FOR_MS = 180 * DAY_MS;
/** Per account: home, work, mobile, and room for changing addresses. */
const MAX_NETWORKS = 20;

/**
 * Network addresses of successful password sign-ins are stored in the database. Sign-ins are rare, so a cache in
 * memory would be lost before the next one, which may also reach another process. The table holds an HMAC per account
 * and address, so that it does not reveal who was where.
 */
async function digestOf(tx: Transaction, { id }: User, network: string): Promise<string> {
  const organization = await tx.organization.get();
  return createHmac('sha256', organization?.secret ?? '')
    .update(`network:${id}:${network}`)
    .digest('base64url');
}

export async function isKnownNetwork(tx: Transaction, user: User, network: string, now: number): Promise<boolean> {
  return tx.signInNetworks.isKnown(user.id, await digestOf(tx, user, network), now - KNOWN_FOR_MS);
}

export async function rememberNetwork(tx: Transaction, user: User, network: string, now: number): Promise<void> {
  await tx.signInNetworks.remember(user.id, await digestOf(tx, user, network), now, MAX_NETWORKS);
}

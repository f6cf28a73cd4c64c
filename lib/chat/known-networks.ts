import { createHmac } from 'node:crypto';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';

const DAY_MS = 24 * 3_600_000;
/** People sign in anew a few times in a year: clients keep their key. */
const KNOWN_FOR_MS = 180 * DAY_MS;
/** Of one account: at home, at work and on the way, with room for addresses that change. */
const MAX_NETWORKS = 20;

/**
 * Network addresses from which somebody signed in with the right password are stored, since people do that seldom:
 * what a process remembers would be gone with its next start, and the next sign-in may go to another one. They are
 * stored as digests under the organization's secret, each account's its own, so that a look at the table tells nobody
 * who was where.
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

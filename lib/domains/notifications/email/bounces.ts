import type { User } from '../../../model/users.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';

/** This many bounces within `PAUSE_MS` pause the notifications of an account. */
export const MAX_BOUNCES = 3;
export const PAUSE_MS = 7 * 24 * 3_600_000;

type Recipient = Pick<User, 'id' | 'delivery_email'>;

/** The mail server says that the address does not exist. */
export async function noteBounce({ storage, clock }: Services, { id, delivery_email }: Recipient): Promise<void> {
  const now = clock.now();
  const bounce = { user_id: id, address: delivery_email, bounced_ms: now };
  await storage.write((tx) => tx.emailNotices.noteBounce(bounce, now - PAUSE_MS), 'silent');
}

/**
 * After three bounces within a week, the account gets no e-mail notifications until the first of them is a week old, or
 * the address changes. Mail servers block senders who write to unknown addresses.
 * @returns when the pause ends, in milliseconds since the epoch; undefined: there is none
 */
export async function pausedUntil(
  tx: Transaction,
  { id, delivery_email }: Recipient,
  now: number,
): Promise<number | undefined> {
  const bounces = await tx.emailNotices.bouncesOf(id, delivery_email, now - PAUSE_MS);
  const first = bounces.at(-MAX_BOUNCES);
  return first === undefined ? undefined : first + PAUSE_MS;
}

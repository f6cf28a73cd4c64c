import { present } from '../../../base/present.ts';
import type { Organization } from '../../../model/organization.ts';
import { type DueWork, defineOutboxKind, inBatches } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { Digest } from '../../../storage/interface/notifications.ts';
import type { Services } from '../../../viewer/context.ts';
import { deliverTo, mayMail } from './deliver.ts';
import { sendsEmails } from './emails.ts';
import { missedConversations } from './missed-messages.ts';
import { composeSummary } from './summary.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** Users who were online more recently do not need it. */
const AWAY_MS = 5 * DAY_MS;
/** UTC. */
const HOUR_OF_DAY = 9;
const READERS_PER_TRANSACTION = 500;
/** The newest unread messages that count. */
const MAX_MESSAGES = 1_000;

export interface DigestEmail {
  user_id: number;
  /** In milliseconds. Only later messages count. */
  since_ms: number;
}

/** Sends the digest of a user. Sends none if the user has no unread messages of the week. */
export const deliverDigest = defineOutboxKind<DigestEmail>('digest email', {
  concurrency: 2,
  async perform(services, { user_id, since_ms }, item) {
    const found = await services.storage.read(async (tx) => {
      const user = await tx.users.byId(user_id);
      if (user?.settings.enable_digest_emails === false || !(await mayMail(services, tx, user))) return undefined;
      const unread = (await tx.readState.unread(user_id, MAX_MESSAGES)).map(({ id }) => id).reverse();
      const first = await tx.retention.firstSince(since_ms / 1000);
      const collected = { user_id, message_ids: unread.filter((id) => id >= first), groups: [], uncounted: 0 };
      return missedConversations(services, tx, collected);
    });
    if (!found) return;
    const email = composeSummary(services, found, {
      name: 'digest',
      subject: (organization) => `Your week in ${organization}`,
      reason: 'You get this e-mail once a week if you were away and have unread messages.',
      ends: 'digest',
    });
    await deliverTo(services, found.user, email, item);
  },
});

/** Adds an item for each reader, once a week. */
export const weeklyDigest: DueWork = {
  name: 'weekly digest',
  async nextDue(tx, services) {
    const organization = sendsEmails(services) ? await tx.organization.get() : undefined;
    return organization && nextDigest(organization, await tx.emailNotices.lastDigest(), services.clock.now())?.due_ms;
  },
  run: (services, isStopping) => inBatches(READERS_PER_TRANSACTION, isStopping, () => addReaders(services)),
};

function addReaders(services: Services): Promise<number> {
  // Of the kind `write`: one process at a time.
  return services.asSystem('write', async ({ tx, now, organization, enqueue }) => {
    const digest = nextDigest(organization, await tx.emailNotices.lastDigest(), now);
    if (!digest || digest.due_ms > now) return 0;
    const { due_ms, after_user_id: after } = digest;
    const readers = await tx.emailNotices.digestReaders(after ?? 0, READERS_PER_TRANSACTION, now - AWAY_MS);
    for (const user_id of readers) enqueue(deliverDigest({ user_id, since_ms: due_ms - WEEK_MS }));
    const isDone = readers.length < READERS_PER_TRANSACTION;
    await tx.emailNotices.setDigest({ due_ms, after_user_id: isDone ? null : present(readers.at(-1)) });
    return readers.length;
  });
}

/** The digest to begin or to continue, perhaps later. Skips a digest that would be a day late. */
function nextDigest(organization: Organization, last: Digest | undefined, now: number): Digest | undefined {
  if (!organizationSetting(organization, 'digest_emails_enabled')) return undefined;
  const due_ms = latestTime(organizationSetting(organization, 'digest_weekday'), now);
  // Also if the weekday has changed since.
  const isBegun = last !== undefined && last.due_ms > due_ms - WEEK_MS;
  if (isBegun && last.after_user_id !== null) return last;
  const isOver = isBegun || now - due_ms > DAY_MS;
  return { due_ms: isOver ? due_ms + WEEK_MS : due_ms, after_user_id: 0 };
}

/** The latest time of a digest until now. @param weekday 0: Monday */
function latestTime(weekday: number, now: number): number {
  const today = new Date(now).setUTCHours(HOUR_OF_DAY, 0, 0, 0);
  const daysAgo = (new Date(now).getUTCDay() + 6 - weekday) % 7;
  const time = today - daysAgo * DAY_MS;
  return time > now ? time - WEEK_MS : time;
}

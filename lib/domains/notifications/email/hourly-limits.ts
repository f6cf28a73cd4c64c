import { groupBy } from '../../../base/lists.ts';
import { type EmailBatch, type EmailCount, SEVERAL_CONVERSATIONS } from '../../../storage/interface/notifications.ts';
import type { TransactionContext } from '../../../viewer/context.ts';

const HOUR_MS = 3_600_000;
/** E-mails to an account in an hour. After that, one more e-mail has the messages of all further conversations. */
export const MAX_EMAILS_TO = 20;
/** E-mails about messages of one account in an hour. Further ones no longer come before those about other accounts. */
export const MAX_EMAILS_FROM = 100;

interface LimitedBatches {
  due: readonly EmailBatch[];
  /** Those of `due` beyond the limit of their sender: all others come first. */
  behind: ReadonlySet<EmailBatch>;
  /** Wait until the hour of their readers ends. */
  postponed: readonly (EmailBatch & { due_ms: number })[];
}

/**
 * Applies the limits of an hour. Without them, a user who writes in a thousand topics could fill the mailboxes of others,
 * and delay all other e-mails.
 */
export async function limited(
  { tx, now }: TransactionContext<'anyone'>,
  batches: readonly EmailBatch[],
): Promise<LimitedBatches> {
  const ofReader = groupBy([...batches].sort(collectedFirst), ({ user_id }) => user_id);
  const ofSender = groupBy(batches, ({ sender_id }) => sender_id);
  const added = [...countsOf(ofReader, { is_sender: false }), ...countsOf(ofSender, { is_sender: true })];
  const counts = await tx.emailNotices.count(added, { nowMs: now, startedAfterMs: now - HOUR_MS });
  const behind = new Set<EmailBatch>();
  const postponed = new Map<EmailBatch, number>();
  for (const { user_id, is_sender, emails, since_ms } of counts) {
    const own = (is_sender ? ofSender : ofReader).get(user_id) ?? [];
    const room = (is_sender ? MAX_EMAILS_FROM : MAX_EMAILS_TO) - (emails - own.length);
    for (const batch of own.slice(Math.max(0, room))) {
      if (is_sender) behind.add(batch);
      else postponed.set(batch, since_ms + HOUR_MS);
    }
  }
  return {
    due: batches.filter((batch) => !postponed.has(batch)),
    behind,
    postponed: [...postponed].map(([batch, due_ms]) => ({ ...batch, due_ms })),
  };
}

/** What has waited for an hour comes before other e-mails. */
const collectedFirst = (a: EmailBatch, b: EmailBatch) =>
  Number(b.conversation_id === SEVERAL_CONVERSATIONS) - Number(a.conversation_id === SEVERAL_CONVERSATIONS);

function countsOf(
  batches: ReadonlyMap<number | undefined, readonly EmailBatch[]>,
  { is_sender }: Pick<EmailCount, 'is_sender'>,
): EmailCount[] {
  const counts = [...batches].map(([user_id, { length: emails }]) => ({ user_id, is_sender, emails }));
  // The first message of some batches was deleted.
  return counts.filter((count): count is EmailCount => count.user_id !== undefined);
}

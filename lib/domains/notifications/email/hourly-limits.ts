import { groupBy } from '../../../base/lists.ts';
import { type EmailBatch, type EmailCount, SEVERAL_CONVERSATIONS } from '../../../storage/interface/notifications.ts';
import type { TransactionContext } from '../../../viewer/context.ts';

const HOUR_MS = 3_600_000;
/** E-mails to an account in an hour. After that, one more e-mail has the messages of all further conversations. */
export const MAX_EMAILS_TO = 20;
/** E-mails about messages of one account in an hour. Further ones no longer come before those about other accounts. */
export const MAX_EMAILS_FROM = 100;
/** An e-mail with more senders counts for the first ones, and comes before others. */
const MAX_COUNTED_SENDERS = 10;

interface LimitedBatches {
  due: readonly EmailBatch[];
  /** Those of `due` beyond the limits of all their senders: others come first. */
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
  const ofSender = groupBy(
    batches.flatMap((batch) => batch.sender_ids.slice(0, MAX_COUNTED_SENDERS).map((sender) => ({ batch, sender }))),
    ({ sender }) => sender,
  );
  const added = [...countsOf(ofReader, { is_sender: false }), ...countsOf(ofSender, { is_sender: true })];
  const counts = await tx.emailNotices.count(added, { nowMs: now, startedAfterMs: now - HOUR_MS });
  /** The senders whose limit each e-mail exceeds. */
  const exceeded = new Map<EmailBatch, number>();
  const postponed = new Map<EmailBatch, number>();
  for (const { user_id, is_sender, emails, since_ms } of counts) {
    if (is_sender) {
      for (const { batch } of beyond(ofSender.get(user_id), emails, MAX_EMAILS_FROM))
        exceeded.set(batch, (exceeded.get(batch) ?? 0) + 1);
    } else {
      for (const batch of beyond(ofReader.get(user_id), emails, MAX_EMAILS_TO))
        postponed.set(batch, since_ms + HOUR_MS);
    }
  }
  const due = batches.filter((batch) => !postponed.has(batch));
  return {
    due,
    // With another sender, a user who floods a conversation would delay the e-mail about the messages of others.
    behind: new Set(due.filter((batch) => exceeded.get(batch) === batch.sender_ids.length)),
    postponed: [...postponed].map(([batch, due_ms]) => ({ ...batch, due_ms })),
  };
}

/** Those of the added e-mails that exceed the limit. @param emails the count with all of them */
function beyond<T>(added: readonly T[] = [], emails: number, limit: number): readonly T[] {
  return added.slice(Math.max(0, limit - (emails - added.length)));
}

/** What has waited for an hour comes before other e-mails. */
const collectedFirst = (a: EmailBatch, b: EmailBatch) =>
  Number(b.conversation_id === SEVERAL_CONVERSATIONS) - Number(a.conversation_id === SEVERAL_CONVERSATIONS);

function countsOf(
  batches: ReadonlyMap<number, readonly unknown[]>,
  { is_sender }: Pick<EmailCount, 'is_sender'>,
): EmailCount[] {
  return [...batches].map(([user_id, { length: emails }]) => ({ user_id, is_sender, emails }));
}

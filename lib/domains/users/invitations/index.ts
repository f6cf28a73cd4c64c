import { type DueWork, defineFeature } from '../../../operation/feature.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { acceptInvite } from './accept.ts';
import { confirmInviteAddress } from './confirm-address.ts';
import { createMultiuseInvite } from './create-multiuse.ts';
import { addressEmail, invitationEmail, invitationReminders } from './emails.ts';
import { invitesChanged } from './invitation.ts';
import { listInvites } from './list.ts';
import { previewInvite } from './preview.ts';
import { resendInvite } from './resend.ts';
import { revokeInvite } from './revoke.ts';
import { revokeMultiuseInvite } from './revoke-multiuse.ts';
import { sendInvites } from './send.ts';
import { tryWelcome } from './try-welcome.ts';

/** Rows deleted per transaction. */
const ROWS_PER_TRANSACTION = 500;
const DAY_MS = 24 * 3_600_000;
/** As long as an ended invitation is kept, its link gets an error with the reason. */
const KEEP_MS = 30 * DAY_MS;
/** The same for links that confirm an address, which work for 24 hours. */
const KEEP_CONFIRMATIONS_MS = 7 * DAY_MS;

/** Deletes invitations some time after they were accepted, were revoked or expired. */
const purgeInvitations: DueWork = {
  name: 'ended invitations',
  async nextDue(tx) {
    const ended = await tx.invitations.oldestEnd();
    const confirmation = await tx.emailVerifications.oldest();
    const due = [
      ...(ended === undefined ? [] : [ended + KEEP_MS]),
      ...(confirmation === undefined ? [] : [confirmation + KEEP_CONFIRMATIONS_MS]),
    ];
    return due.length === 0 ? undefined : Math.min(...due);
  },
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const forget = [
      (tx: Transaction) => tx.invitations.forget(now - KEEP_MS, ROWS_PER_TRANSACTION),
      (tx: Transaction) => tx.emailVerifications.removeBefore(now - KEEP_CONFIRMATIONS_MS + 1, ROWS_PER_TRANSACTION),
    ];
    let forgotten = 0;
    for (const some of forget) {
      for (let last = ROWS_PER_TRANSACTION; last >= ROWS_PER_TRANSACTION && !isStopping(); forgotten += last) {
        last = await storage.write(some, { shared: true, silent: true });
      }
    }
    return forgotten;
  },
};

/**
 * Invitations by e-mail or by multi-use link. An invitation gives only what its inviter could give when it was created
 * and can still give when it is accepted (`invitation-validity.ts`).
 */
export const invitations = defineFeature({
  operations: [
    listInvites,
    sendInvites,
    createMultiuseInvite,
    resendInvite,
    revokeInvite,
    revokeMultiuseInvite,
    previewInvite,
    confirmInviteAddress,
    acceptInvite,
    tryWelcome,
  ],
  events: [invitesChanged],
  dueWork: [invitationReminders, purgeInvitations],
  outbox: [invitationEmail, addressEmail],
});

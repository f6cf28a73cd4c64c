import { type DueWork, defineFeature, inBatches } from '../../../operation/feature.ts';
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
    const ended = (await tx.invitations.oldestEnd()) ?? Number.POSITIVE_INFINITY;
    const confirmed = (await tx.emailVerifications.oldest()) ?? Number.POSITIVE_INFINITY;
    const due = Math.min(ended + KEEP_MS, confirmed + KEEP_CONFIRMATIONS_MS);
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  },
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const inTransactions = (forget: (tx: Transaction) => Promise<number>) =>
      inBatches(ROWS_PER_TRANSACTION, isStopping, () => storage.write(forget, 'silent'));
    const confirmed = now - KEEP_CONFIRMATIONS_MS + 1;
    return (
      (await inTransactions((tx) => tx.invitations.forget(now - KEEP_MS, ROWS_PER_TRANSACTION))) +
      (await inTransactions((tx) => tx.emailVerifications.removeBefore(confirmed, ROWS_PER_TRANSACTION)))
    );
  },
};

/**
 * Invitations by e-mail or by multi-use link. An invitation gives only what its inviter could give when it was created
 * and can still give when it is accepted.
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

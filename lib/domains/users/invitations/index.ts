import { defineFeature } from '../../../kernel/feature.ts';
import { acceptInvite } from './accept.ts';
import { addressEmail } from './address-email.ts';
import { confirmInviteAddress } from './confirm-address.ts';
import { createMultiuseInvite } from './create-multiuse.ts';
import { invitationEmail } from './emails.ts';
import { invitesChanged } from './events.ts';
import { listInvites } from './list.ts';
import { previewInvite } from './preview.ts';
import { purgeInvitations } from './purge.ts';
import { invitationReminders } from './reminders.ts';
import { resendInvite } from './resend.ts';
import { revokeInvite } from './revoke.ts';
import { revokeMultiuseInvite } from './revoke-multiuse.ts';
import { sendInvites } from './send.ts';
import { tryWelcome } from './try-welcome.ts';

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

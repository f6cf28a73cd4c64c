import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/send-email.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import type { Invitation, InvitationOffer } from '../../../storage/interface/invitations.ts';
import { composeEmail } from './email-text.ts';
import { problemOf } from './invitation-validity.ts';
import { invitationKey, invitationLink } from './links.ts';

/** An item of the outbox. It does not contain the link, which is derived when the e-mail is sent. */
export interface InvitationEmail {
  invitation_id: number;
  kind: 'invitation' | 'reminder';
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A reminder is sent this long before an invitation expires, */
const REMIND_BEFORE_MS = 2 * DAY_MS;
/** if the invitation is valid for at least this long. */
const LONG_ENOUGH_MS = 4 * DAY_MS;

/** When to send the reminder of an invitation that is sent now; null: no reminder. */
export function reminderTime({ expires_ms }: Pick<InvitationOffer, 'expires_ms'>, now: number): number | null {
  return expires_ms === null || expires_ms - now < LONG_ENOUGH_MS ? null : expires_ms - REMIND_BEFORE_MS;
}

/** Composes and sends one e-mail. Skips invitations that have ended since. */
export const invitationEmail = defineOutboxKind<InvitationEmail>('invitation', {
  concurrency: EMAILS_AT_ONCE,
  async perform(services, { invitation_id, kind }, item) {
    const found = await services.storage.read(async (tx) => {
      const organization = await tx.organization.get();
      const invitation = await tx.invitations.byId(invitation_id);
      const inviter = invitation && (await tx.users.byId(invitation.invited_by_user_id));
      return organization && invitation && inviter && { organization, invitation, inviter };
    });
    if (!found || found.invitation.email === null) return;
    const { organization, invitation, inviter } = found;
    if (problemOf(invitation, services.clock.now()) !== undefined || !inviter.is_active) return;
    const link = invitationLink(services, invitationKey(organization, invitation));
    const text = composeEmail({ organization, invitation, inviter, link, isReminder: kind === 'reminder' });
    await deliverEmail(services, { to: found.invitation.email, ...text }, item);
  },
  async noteOutcomes(tx, outcomes) {
    const states = new Map<
      number,
      { id: number; state: NonNullable<Invitation['email_state']>; error: string | null }
    >();
    for (const { payload, error = null, isGivenUp } of outcomes) {
      const state = error === null ? 'sent' : isGivenUp ? 'failed' : 'waiting';
      states.set(payload.invitation_id, { id: payload.invitation_id, state, error });
    }
    await tx.invitations.noteEmails([...states.values()]);
  },
});

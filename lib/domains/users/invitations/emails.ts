import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/outbox.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { type DueWork, defineOutboxKind, inBatches } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot } from '../../../rules/roles.ts';
import type { InvitationOffer } from '../../../storage/interface/invitations.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';
import { COUNTED_MS, composeLinkEmail, defineLinkEmail, isMailedTooOften } from '../link-email.ts';
import {
  ADDRESS_LINK_HOURS,
  addressKey,
  findOffer,
  hashOfKey,
  invitationKey,
  invitationLink,
  problemOf,
} from './invitation.ts';

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
const MIN_LIFETIME_MS = 4 * DAY_MS;

/** When to send the reminder of an invitation that is sent now; null: no reminder. */
export function reminderTime({ expires_ms }: Pick<InvitationOffer, 'expires_ms'>, now: number): number | null {
  return expires_ms === null || expires_ms - now < MIN_LIFETIME_MS ? null : expires_ms - REMIND_BEFORE_MS;
}

/** Composes and sends one e-mail. Skips invitations that have ended since. */
export const invitationEmail = defineOutboxKind<InvitationEmail>('invitation', {
  concurrency: EMAILS_AT_ONCE,
  isPredictable: true,
  async perform(services, { invitation_id, kind }, item) {
    const found = await services.storage.read(async (tx) => {
      const organization = await tx.organization.get();
      const invitation = await tx.invitations.byId(invitation_id);
      const inviter = invitation && (await tx.users.byId(invitation.invited_by_user_id));
      return organization && invitation && inviter && { organization, invitation, inviter };
    });
    if (!found) return;
    const { organization, invitation, inviter } = found;
    const { email: to, expires_ms } = invitation;
    if (to === null || problemOf(invitation, services.clock.now()) !== undefined) return;
    const isReminder = kind === 'reminder';
    const { name } = organization;
    const invited = `${inviter.full_name} has invited you to join ${name}`;
    const email = composeLinkEmail({
      to,
      subject: isReminder ? `Reminder: ${invited}` : invited,
      opening: [`${invited}${isReminder ? ', and the invitation is still open' : ''}.`],
      invitation: 'To choose a name and a password, open',
      link: invitationLink(services, invitationKey(organization, invitation)),
      button: `Join ${name}`,
      after: [`The link is only for you${expires_ms === null ? '' : ` and works until ${dateAndTime(expires_ms)}`}.`],
      closing: 'If you did not expect this invitation, ignore this e-mail.',
    });
    await deliverEmail(services, email, item);
  },
  async noteOutcomes(tx, outcomes) {
    const states = outcomes.map(({ item: { payload }, failure }) => {
      const state = !failure ? ('sent' as const) : failure.due_ms === null ? ('failed' as const) : ('waiting' as const);
      return { id: payload.invitation_id, state, error: failure?.error ?? null };
    });
    // The latest of each invitation.
    await tx.invitations.recordEmails([...new Map(states.map((state) => [state.id, state])).values()]);
  },
});

/** `Tuesday, 1 December 2026, 09:30 UTC`. The time zone of the reader is unknown. */
function dateAndTime(ms: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(ms)} UTC`;
}

const REMINDERS_PER_TRANSACTION = 500;

export const invitationReminders: DueWork = {
  name: 'invitation reminders',
  nextDue: (tx) => tx.invitations.nextReminder(),
  run({ storage, clock }, isStopping) {
    const remind = async (tx: Transaction) => {
      const now = clock.now();
      const reminders = await tx.invitations.claimReminders(now, REMINDERS_PER_TRANSACTION);
      const pending = reminders.filter(({ isPending }) => isPending);
      const emails = pending.map(({ id }) => invitationEmail({ invitation_id: id, kind: 'reminder' }));
      await tx.outbox.add(emails.map((email) => ({ ...email, due_ms: now })));
      return reminders.length;
    };
    return inBatches(REMINDERS_PER_TRANSACTION, isStopping, () => storage.write(remind, 'mark'));
  },
};

/** The e-mail that confirms the address of a person who joins by a multi-use link. */
export const addressEmail = defineLinkEmail<{ invitation_id: number; email: string }>('address', {
  async issue(context, { invitation_id, email }, token) {
    const { tx, organization, services, now } = context;
    const invitation = await tx.invitations.byId(invitation_id);
    if (!invitation || typeof (await findOffer(context, invitation, null)) === 'string') return undefined;
    const user = await tx.users.byEmail(email);
    if (user && isBot(user)) return undefined;
    if (isMailedTooOften(await tx.emailVerifications.mailedSince(email, now - COUNTED_MS), now)) return undefined;
    const key = addressKey(token);
    const proof = { key_hash: hashOfKey(key), invitation_id, email, created_ms: now };
    // If the address has an account, the key is not sent. The row only counts towards the limit.
    await tx.emailVerifications.add({ ...proof, is_mailed: true, is_used: user !== undefined });
    if (user) return ofAccount(services, organization, user);
    return {
      to: email,
      subject: `Confirm your address to join ${organization.name}`,
      opening: [`someone asked to join ${organization.name} with this e-mail address.`],
      invitation: `If this was you, choose a name${hasPasswords(organization) ? ' and a password' : ''} at`,
      link: invitationLink(services, key),
      button: `Join ${organization.name}`,
      after: [`The link works once, within ${ADDRESS_LINK_HOURS} hours, while the invitation is valid.`],
      closing: 'If this was not you, ignore this e-mail.',
    };
  },
  uncount: (tx, token) => tx.emailVerifications.uncount(hashOfKey(addressKey(token))),
});

const hasPasswords = (organization: Organization) => organizationSetting(organization, 'password_login');

function ofAccount({ options: { baseUrl } }: Services, organization: Organization, user: User) {
  const { name } = organization;
  const isActive = user.is_active;
  const forgotten = `${baseUrl}/accounts/password/reset/`;
  return {
    to: user.delivery_email,
    subject: `You already have an account in ${name}`,
    greeting: `Hello ${user.full_name},`,
    opening: [
      `someone asked to join ${name} with this e-mail address. ${isActive ? 'You already have an account and do not need to join again' : 'The address has an account, but it is deactivated. An administrator can reactivate it'}.`,
    ],
    invitation: isActive ? 'Sign in with any Zulip app at' : 'The account is at',
    link: baseUrl,
    button: `Open ${name}`,
    after: isActive && hasPasswords(organization) ? [`If you forgot your password, reset it at ${forgotten}`] : [],
    closing: 'If this was not you, ignore this e-mail. Nothing was changed.',
  };
}

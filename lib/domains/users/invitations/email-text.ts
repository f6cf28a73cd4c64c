import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { User } from '../../../storage/interface/users.ts';
import { composeLinkEmail } from '../link-email.ts';

interface Invited {
  organization: Pick<Organization, 'name'>;
  invitation: Pick<Invitation, 'expires_ms'>;
  inviter: Pick<User, 'full_name'>;
  link: string;
  isReminder: boolean;
}

/** Composes the e-mail of an invitation or a reminder. */
export function composeEmail({ organization: { name }, invitation, inviter, link, isReminder }: Invited) {
  const invited = `${inviter.full_name} has invited you to join ${name}`;
  const { expires_ms } = invitation;
  return composeLinkEmail({
    subject: isReminder ? `Reminder: ${invited}` : invited,
    opening: [
      `${invited}, ${isReminder ? 'and the invitation is still open' : 'where people talk in channels and topics'}.`,
    ],
    invitation: 'To choose a name and a password, open',
    link,
    button: `Join ${name}`,
    after: [`The link is only for you${expires_ms === null ? '' : ` and works until ${dateAndTime(expires_ms)}`}.`],
    closing: 'If you did not expect this invitation, ignore this e-mail.',
  });
}

/** `Tuesday, 1 December 2026, 09:30 UTC`. The time zone of the reader is unknown. */
function dateAndTime(ms: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(ms)} UTC`;
}

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

/** What somebody reads who is invited, or who is reminded of it. */
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
    after: [`The link is for you alone${expires_ms === null ? '' : ` and works until ${dateAndTime(expires_ms)}`}.`],
    closing: 'If you do not know why you get this, you can leave it: without you, nothing happens.',
  });
}

/** `Tuesday, 1 December 2026, 09:30 UTC`: nothing is known of where the reader is. */
function dateAndTime(ms: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(ms)} UTC`;
}

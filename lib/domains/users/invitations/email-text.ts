import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { User } from '../../../storage/interface/users.ts';

interface Invited {
  organization: Pick<Organization, 'name'>;
  invitation: Pick<Invitation, 'expires_ms'>;
  inviter: Pick<User, 'full_name'>;
  link: string;
  isReminder: boolean;
}

/** What somebody reads who is invited, or who is reminded of it: as plain text and as HTML. */
export function composeEmail({ organization, invitation, inviter, link, isReminder }: Invited) {
  const { name } = organization;
  const subject = isReminder
    ? `Reminder: ${inviter.full_name} has invited you to join ${name}`
    : `${inviter.full_name} has invited you to join ${name}`;
  const opening = isReminder
    ? `${inviter.full_name} has invited you to join ${name}, and the invitation is still open.`
    : `${inviter.full_name} has invited you to join ${name}, where people talk in channels and topics.`;
  const validity =
    invitation.expires_ms === null
      ? 'The link is for you alone.'
      : `The link is for you alone and works until ${dateAndTime(invitation.expires_ms)}.`;
  const closing = 'If you do not know why you get this, you can leave it: without you, nothing happens.';
  const text = [
    'Hello,',
    '',
    opening,
    '',
    'To choose a name and a password, open',
    '',
    link,
    '',
    validity,
    '',
    closing,
    '',
  ];
  return { subject, text: text.join('\n'), html: htmlOf({ opening, validity, closing, link, button: `Join ${name}` }) };
}

function htmlOf(parts: { opening: string; validity: string; closing: string; link: string; button: string }): string {
  const { opening, validity, closing, link, button } = parts;
  const href = escapeHtml(link);
  return `<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1f2328;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
<p>Hello,</p>
<p>${escapeHtml(opening)}</p>
<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>
<p>Or open this address:<br><a href="${href}">${href}</a></p>
<p>${escapeHtml(validity)}</p>
<p style="color:#59636e;font-size:14px">${escapeHtml(closing)}</p>
</div>
</body>
</html>
`;
}

/** `Tuesday, 1 December 2026, 09:30 UTC`: nothing is known of where the reader is. */
function dateAndTime(ms: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(ms)} UTC`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

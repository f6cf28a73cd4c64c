import { escapeQuotedText } from '../../../markdown/html.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { MissedMessages, ShownMessage } from './missed-messages.ts';

const MAX_NAME = 80;
const MAX_SUBJECT = 150;

/** A part of the body, as text and as HTML. */
export interface Entry {
  text: string;
  html: string;
}

/** What all e-mail notifications contain. */
export interface Letter {
  /** Name of the organization. */
  organization: string;
  opening: string;
  body: readonly Entry[];
  button: { label: string; url: string };
  /** Why the user gets the e-mail. */
  reason: string;
  /** Absent if the conversation is on a page of the host, which has its own settings. */
  settings?: string;
  unsubscribe: string;
}

/** Characters that end a line, or change the direction of the text after them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

export const headerText = (text: string) => text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();

/** At most `most` characters: a longer text ends with an ellipsis. */
export function clipped(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

export const clippedName = (name: string) => headerText(clipped(name, MAX_NAME));
export const clippedSubject = (subject: string) => clipped(subject, MAX_SUBJECT);

export const counted = (count: number) => (count === 1 ? 'a new message' : `${count} new messages`);

export const mayShowContent = ({ user, organization }: Pick<MissedMessages, 'user' | 'organization'>) =>
  user.settings.message_content_in_email_notifications !== false &&
  organizationSetting(organization, 'message_content_allowed_in_email_notifications');

export function timeOf({ user }: MissedMessages, { message }: ShownMessage): string {
  const timeZone = user.timezone || 'UTC';
  const hour12 = user.settings.twenty_four_hour_time !== true;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone, hour12 });
  return `${format.format(message.timestamp * 1000)}${user.timezone ? '' : ' UTC'}`;
}

/** @param most characters */
export const contentText = ({ message }: ShownMessage, most: number) =>
  clipped(plainText(message.rendered_content), most);

export const quiet = (text: string): Entry => ({
  text,
  html: `<p style="margin:0 0 8px;color:#586562">${escapeQuotedText(text)}</p>`,
});

export const NOT_SHOWN = quiet('The settings of your account or organization keep the text of messages out of e-mail.');

export const moreOf = (more: number) => (more > 0 ? [quiet(`And ${more} more.`)] : []);

export function textOf({ opening, body, button, reason, settings, unsubscribe }: Letter): string {
  const parts = [
    opening,
    ...body.map(({ text }) => text),
    `${button.label}:\n${button.url}`,
    ['-- ', reason, ...(settings ? [`Settings: ${settings}`] : []), `Stop these e-mails: ${unsubscribe}`].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function htmlOf({ organization, opening, body, button, reason, settings, unsubscribe }: Letter): string {
  const href = (url: string) => escapeQuotedText(url);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeQuotedText(clipped(organization, MAX_NAME))}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1f2328;background:#ffffff">
<div style="max-width:640px;margin:0 auto">
<p style="margin:0 0 16px"><bdi>${escapeQuotedText(opening)}</bdi></p>
${body.map(({ html }) => html).join('\n')}
<p style="margin:24px 0"><a href="${href(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600">${button.label}</a></p>
<p style="margin:0;color:#586562;font-size:14px"><bdi>${escapeQuotedText(reason)}</bdi><br>
${settings ? `<a href="${href(settings)}" style="color:#586562">Settings</a> · ` : ''}<a href="${href(unsubscribe)}" style="color:#586562">Stop these e-mails</a></p>
</div>
</body>
</html>
`;
}

import type { Email } from '../../../adapters/mail.ts';
import { emailHtml } from '../../../markdown/email-html.ts';
import { escapeQuotedText } from '../../../markdown/html.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { isRoom } from '../../../rules/channels.ts';
import { deriveKey } from '../../../rules/credentials.ts';
import { mailboxOf, replyExpiry } from '../../../rules/mail-addresses.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import type { Services } from '../../../viewer/context.ts';
import { messagePage } from '../../../viewer/message-page.ts';
import type { MissedMessages, ShownMessage } from './missed-messages.ts';
import { type EmailKind, unsubscribeToken } from './unsubscribe-token.ts';

/** Bytes of the messages in each form. Mail programs cut an e-mail of more than 100 kB, with the links at its end. */
const MAX_BYTES = 80_000;
/** In characters. */
const MAX_CONTENT = 2_000;
/** HTML of a message above this is replaced by its text. */
const MAX_HTML = 8_000;
const MAX_SUBJECT = 150;
const MAX_NAME = 80;
const ALWAYS = 2;

/** Composes the e-mail. Names and texts are those of other users: nothing of them becomes a header line or markup. */
export function composeNotification(services: Services, missed: MissedMessages): Email {
  const { organization, user, conversation, channel, messages } = missed;
  const { baseUrl } = services.options;
  const showsContent = mayShowContent(missed);
  const place = placeName(missed);
  const senders = [...new Set(messages.map(({ sender }) => sender))];
  const opening = openingOf(missed, { place, showsContent });
  const links = linksOf(services, missed, showsContent);
  const shown = showsContent ? messagesIn(missed, baseUrl) : undefined;
  const replyTo = replyAddress(services, missed, shown);
  const reason = [...(replyTo === undefined ? [] : [BY_REPLY]), reasonText(missed, showsContent)].join(' ');
  const parts = { opening, reason, links, shown };
  const isNamed = user.settings.realm_name_in_email_notifications_policy === ALWAYS;
  const subject = clipped(showsContent ? place : `New messages in ${organization.name}`, MAX_SUBJECT);
  return {
    to: user.delivery_email,
    subject: headerText(isNamed && showsContent ? `${subject} [${organization.name}]` : subject),
    text: textOf(parts),
    html: htmlOf(organization.name, parts),
    fromName: headerText(
      clipped(showsContent && senders.length === 1 ? (senders[0] as string) : organization.name, MAX_NAME),
    ),
    ...(replyTo === undefined ? {} : { replyTo }),
    // Mail programs show e-mails of a conversation together. The ID says nothing about it.
    thread: `parlance.${deriveKey(organization.secret, `e-mails:${user.id}:${conversation.id}`, 24)}`,
    headers: {
      Precedence: 'bulk',
      ...(channel ? { 'List-Id': `<channel-${channel.id}.${new URL(baseUrl).hostname}>` } : {}),
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const BY_REPLY = 'Reply to this e-mail to write in the conversation.';

/** The address names the newest message that the e-mail shows: if it moves, a reply follows it. */
function replyAddress(
  { options, clock }: Services,
  missed: MissedMessages,
  shown: MessagesShown | undefined,
): string | undefined {
  const domain = options.mail?.replies?.domain;
  const last = missed.messages.at((shown?.messages.length ?? 0) - 1);
  if (domain === undefined || !last) return undefined;
  const { organization, user, conversation } = missed;
  const place = {
    kind: 'reply',
    userId: user.id,
    messageId: last.message.id,
    conversationId: conversation.id,
    expiresOn: replyExpiry(clock.now()),
  } as const;
  return `${mailboxOf(place, { secret: organization.secret, keyGeneration: user.key_generation })}@${domain}`;
}

export const mayShowContent = ({ user, organization }: Pick<MissedMessages, 'user' | 'organization'>) =>
  user.settings.message_content_in_email_notifications !== false &&
  organizationSetting(organization, 'message_content_allowed_in_email_notifications');

/** Characters that end a line, or change the direction of the text after them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

const headerText = (text: string) => text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();

/** At most `most` characters: a longer text ends with an ellipsis. */
function clipped(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

export function placeName({ channel, conversation, others, organization, messages }: MissedMessages): string {
  if (channel) {
    const name = `#${channel.name}`;
    return isRoom(channel) ? name : `${name} > ${shownTopic(conversation.topic, organization)}`;
  }
  if (others.length <= 1) return others[0] ?? messages[0]?.sender ?? '';
  return others.join(', ');
}

function kindOf({ reasons: [reason], channel }: MissedMessages): EmailKind {
  if (reason === 'followed topic') return 'followed topics';
  return reason === 'channel' && channel ? { channel_id: channel.id } : 'mentions';
}

/** The page of the first message. @param showsContent otherwise its address in the web app contains no names */
export function firstMessagePage(services: Services, missed: MissedMessages, showsContent: boolean) {
  const { user, messages, ...place } = missed;
  return messagePage(services, { ...place, messageId: messages[0]?.message.id as number }, user, showsContent);
}

function linksOf(services: Services, missed: MissedMessages, showsContent: boolean): Links {
  const { baseUrl } = services.options;
  const { organization, user } = missed;
  const unsubscribe = `${baseUrl}/accounts/unsubscribe/${unsubscribeToken(organization, user.id, kindOf(missed))}/`;
  const { url, isOfHost } = firstMessagePage(services, missed, showsContent);
  return { conversation: url, unsubscribe, ...(isOfHost ? {} : { settings: `${baseUrl}/#settings` }) };
}

const counted = (count: number) => (count === 1 ? 'a new message' : `${count} new messages`);

function openingOf(
  { messages, more, organization, channel }: MissedMessages,
  { place, showsContent }: { place: string; showsContent: boolean },
): string {
  const count = counted(messages.length + more);
  if (!showsContent) return `You have ${count} in ${organization.name}.`;
  return channel ? `You have ${count} in ${place}.` : `You have ${count} from ${place}.`;
}

function reasonText({ reasons: [reason], group, channel }: MissedMessages, showsContent: boolean): string {
  const place = channel && showsContent ? `#${channel.name}` : 'a channel';
  switch (reason) {
    case 'direct message':
      return 'You get this e-mail because you got a direct message.';
    case 'mention':
      if (group === undefined || !showsContent) return 'You get this e-mail because you were mentioned.';
      return `You get this e-mail because @${group} was mentioned.`;
    case 'mention of all':
      return 'You get this e-mail because everyone was mentioned.';
    case 'followed topic':
      return 'You get this e-mail because you follow the topic.';
    case 'channel':
      return `You get this e-mail because you chose e-mail about messages in ${place}.`;
  }
}

interface Links {
  conversation: string;
  /** Absent if the conversation is on a page of the host, which has its own settings. */
  settings?: string;
  unsubscribe: string;
}

interface Parts {
  opening: string;
  reason: string;
  links: Links;
  /** Absent if the e-mail must not contain messages. */
  shown: MessagesShown | undefined;
}

/** A message as text and as HTML. */
interface Entry {
  text: string;
  html: string;
}

interface MessagesShown {
  context: readonly Entry[];
  messages: readonly Entry[];
  /** Number of further messages. */
  more: number;
}

/** At least one message, and as many as fit. */
function messagesIn(missed: MissedMessages, site: string): MessagesShown {
  const context = missed.context.map((message) => entryOf(missed, message, site));
  const size = { text: 0, html: 0 };
  const add = ({ text, html }: Entry) => {
    size.text += Buffer.byteLength(text);
    size.html += Buffer.byteLength(html);
  };
  context.forEach(add);
  const messages: Entry[] = [];
  for (const message of missed.messages) {
    const entry = entryOf(missed, message, site);
    add(entry);
    if (messages.length > 0 && Math.max(size.text, size.html) > MAX_BYTES) break;
    messages.push(entry);
  }
  return { context, messages, more: missed.more + missed.messages.length - messages.length };
}

function entryOf(missed: MissedMessages, shown: ShownMessage, site: string): Entry {
  const time = timeOf(missed, shown);
  return {
    text: `${headerText(shown.sender)}, ${time}:\n${contentText(shown)}`,
    html: `<div style="margin:0 0 16px">
<p style="margin:0 0 4px"><strong><bdi>${escapeQuotedText(shown.sender)}</bdi></strong> <span style="color:#586562">${time}</span></p>
<div dir="auto" style="overflow-wrap:anywhere">${contentHtml(shown, site)}</div>
</div>`,
  };
}

const NOT_SHOWN = 'The settings of your account or organization keep the text of messages out of e-mail.';

function textOf({ opening, reason, links, shown }: Parts): string {
  const { context = [], messages = [{ text: NOT_SHOWN }], more = 0 } = shown ?? {};
  const texts = (entries: readonly Pick<Entry, 'text'>[]) => entries.map(({ text }) => text);
  const parts = [
    opening,
    ...(context.length > 0 ? ['Earlier:', ...texts(context), 'New:'] : []),
    ...texts(messages),
    ...moreOf(more),
    `Read and reply:\n${links.conversation}`,
    [
      '-- ',
      reason,
      ...(links.settings ? [`Settings: ${links.settings}`] : []),
      `Stop these e-mails: ${links.unsubscribe}`,
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const contentText = ({ message }: ShownMessage) => clipped(plainText(message.rendered_content), MAX_CONTENT);

const moreOf = (more: number) => (more > 0 ? [`And ${more} more.`] : []);

function timeOf({ user }: MissedMessages, { message }: ShownMessage): string {
  const timeZone = user.timezone || 'UTC';
  const hour12 = user.settings.twenty_four_hour_time !== true;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone, hour12 });
  return `${format.format(message.timestamp * 1000)}${user.timezone ? '' : ' UTC'}`;
}

const quiet = (text: string) => `<p style="margin:0 0 8px;color:#586562">${escapeQuotedText(text)}</p>`;

function htmlOf(organization: string, { opening, reason, links, shown }: Parts): string {
  const { context = [], messages = [{ html: quiet(NOT_SHOWN) }], more = 0 } = shown ?? {};
  const before = context.map(({ html }) => html).join('\n');
  const body = [
    `<p style="margin:0 0 16px"><bdi>${escapeQuotedText(opening)}</bdi></p>`,
    ...(before === '' ? [] : [`<div style="opacity:0.7">${quiet('Earlier:')}${before}</div>`, quiet('New:')]),
    ...messages.map(({ html }) => html),
    ...moreOf(more).map(quiet),
  ];
  const href = (url: string) => escapeQuotedText(url);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeQuotedText(clipped(organization, MAX_NAME))}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1f2328;background:#ffffff">
<div style="max-width:640px;margin:0 auto">
${body.join('\n')}
<p style="margin:24px 0"><a href="${href(links.conversation)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600">Read and reply</a></p>
<p style="margin:0;color:#586562;font-size:14px"><bdi>${escapeQuotedText(reason)}</bdi><br>
${links.settings ? `<a href="${href(links.settings)}" style="color:#586562">Settings</a> · ` : ''}<a href="${href(links.unsubscribe)}" style="color:#586562">Stop these e-mails</a></p>
</div>
</body>
</html>
`;
}

/** Of a long message, or of one with much markup, only its text. */
function contentHtml(shown: ShownMessage, site: string): string {
  const text = plainText(shown.message.rendered_content);
  const html = text.length > MAX_CONTENT ? undefined : emailHtml(shown.message.rendered_content, site);
  if (html !== undefined && html.length <= MAX_HTML) return html;
  return `<p style="margin:0 0 8px">${escapeQuotedText(clipped(text, MAX_CONTENT)).replaceAll('\n', '<br>')}</p>`;
}

import type { Email } from '../../../adapters/mail.ts';
import { present } from '../../../base/present.ts';
import { emailHtml } from '../../../markdown/email-html.ts';
import { escapeQuotedText } from '../../../markdown/html.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { isRoom } from '../../../rules/channels.ts';
import { deriveKey } from '../../../rules/credentials.ts';
import { mailboxOf, replyExpiry } from '../../../rules/mail-addresses.ts';
import { shownTopic } from '../../../rules/topics.ts';
import type { Services } from '../../../viewer/context.ts';
import { messagePage } from '../../../viewer/message-page.ts';
import {
  clipped,
  clippedName,
  clippedSubject,
  contentText,
  counted,
  type Entry,
  headerText,
  htmlOf,
  type Letter,
  mayShowContent,
  moreOf,
  NOT_SHOWN,
  quiet,
  textOf,
  timeOf,
} from './letter.ts';
import type { MissedMessages, ShownMessage } from './missed-messages.ts';
import { type EmailKind, unsubscribeToken } from './unsubscribe-token.ts';

/** Bytes of the messages in each form. Mail programs cut an e-mail of more than 100 kB, with the links at its end. */
const MAX_BYTES = 80_000;
/** In characters. */
const MAX_CONTENT = 2_000;
/** HTML of a message above this is replaced by its text. */
const MAX_HTML = 8_000;
const ALWAYS = 2;

/** Composes the e-mail. Names and texts are those of other users: nothing of them becomes a header line or markup. */
export function composeNotification(services: Services, missed: MissedMessages): Email {
  const { organization, user, conversation, channel, messages } = missed;
  const { baseUrl } = services.options;
  const showsContent = mayShowContent(missed);
  const place = placeName(missed);
  const senders = [...new Set(messages.map(({ sender }) => sender))];
  const opening = openingOf(missed, { place, showsContent });
  const { conversation: url, ...links } = linksOf(services, missed, showsContent);
  const shown = showsContent ? messagesIn(missed, baseUrl) : undefined;
  const replyTo = replyAddress(services, missed, shown);
  const reason = [...(replyTo === undefined ? [] : [BY_REPLY]), reasonText(missed, showsContent)].join(' ');
  const letter: Letter = {
    organization: organization.name,
    opening,
    body: shown ? bodyOf(shown) : [NOT_SHOWN],
    button: { label: 'Read and reply', url },
    reason,
    ...links,
  };
  const isNamed = user.settings.realm_name_in_email_notifications_policy === ALWAYS;
  const subject = clippedSubject(showsContent ? place : `New messages in ${organization.name}`);
  return {
    to: user.delivery_email,
    subject: headerText(isNamed && showsContent ? `${subject} [${organization.name}]` : subject),
    text: textOf(letter),
    html: htmlOf(letter),
    fromName: clippedName(showsContent && senders.length === 1 ? present(senders[0]) : organization.name),
    ...(replyTo === undefined ? {} : { replyTo }),
    // Mail programs show e-mails of a conversation together. The ID says nothing about it.
    thread: threadOf(missed, conversation.id),
    headers: {
      ...(channel ? { 'List-Id': `<channel-${channel.id}.${new URL(baseUrl).hostname}>` } : {}),
      ...bulkHeaders(links.unsubscribe),
    },
  };
}

/** @param of a conversation, or a kind of e-mail */
export const threadOf = ({ organization, user }: Pick<MissedMessages, 'organization' | 'user'>, of: number | string) =>
  `parlance.${deriveKey(organization.secret, `e-mails:${user.id}:${of}`, 24)}`;

export const bulkHeaders = (unsubscribe: string) => ({
  Precedence: 'bulk',
  'List-Unsubscribe': `<${unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

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

export function placeName({ channel, conversation, others, organization, messages }: MissedMessages): string {
  if (channel) {
    const name = `#${channel.name}`;
    return isRoom(channel) ? name : `${name} > ${shownTopic(conversation.topic, organization)}`;
  }
  if (others.length <= 1) return others[0] ?? messages[0]?.sender ?? '';
  return others.join(', ');
}

export function kindOf({ reasons: [reason], channel }: MissedMessages): EmailKind {
  if (reason === 'followed topic') return 'followed topics';
  return reason === 'channel' && channel ? { channel_id: channel.id } : 'mentions';
}

/** The page of the first message. @param showsContent otherwise its address in the web app contains no names */
export function firstMessagePage(services: Services, missed: MissedMessages, showsContent: boolean) {
  const { user, messages, ...place } = missed;
  return messagePage(services, { ...place, messageId: messages[0]?.message.id as number }, user, showsContent);
}

/** @param kind of the e-mails that the link ends */
export function linksOf(
  services: Services,
  missed: MissedMessages,
  showsContent: boolean,
  kind = kindOf(missed),
): Links {
  const { baseUrl } = services.options;
  const { organization, user } = missed;
  const unsubscribe = `${baseUrl}/accounts/unsubscribe/${unsubscribeToken(organization, user.id, kind)}/`;
  const { url, isOfHost } = firstMessagePage(services, missed, showsContent);
  return { conversation: url, unsubscribe, ...(isOfHost ? {} : { settings: `${baseUrl}/#settings` }) };
}

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

type Links = Pick<Letter, 'settings' | 'unsubscribe'> & { conversation: string };

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
    text: `${headerText(shown.sender)}, ${time}:\n${contentText(shown, MAX_CONTENT)}`,
    html: `<div style="margin:0 0 16px">
<p style="margin:0 0 4px"><strong><bdi>${escapeQuotedText(shown.sender)}</bdi></strong> <span style="color:#586562">${time}</span></p>
<div dir="auto" style="overflow-wrap:anywhere">${contentHtml(shown, site)}</div>
</div>`,
  };
}

function bodyOf({ context, messages, more }: MessagesShown): Entry[] {
  return [...(context.length > 0 ? [earlier(context), quiet('New:')] : []), ...messages, ...moreOf(more)];
}

const earlier = (context: readonly Entry[]): Entry => ({
  text: ['Earlier:', ...context.map(({ text }) => text)].join('\n\n'),
  html: `<div style="opacity:0.7">${quiet('Earlier:').html}${context.map(({ html }) => html).join('\n')}</div>`,
});

/** Of a long message, or of one with much markup, only its text. */
function contentHtml(shown: ShownMessage, site: string): string {
  const text = plainText(shown.message.rendered_content);
  const html = text.length > MAX_CONTENT ? undefined : emailHtml(shown.message.rendered_content, site);
  if (html !== undefined && html.length <= MAX_HTML) return html;
  return `<p style="margin:0 0 8px">${escapeQuotedText(clipped(text, MAX_CONTENT)).replaceAll('\n', '<br>')}</p>`;
}

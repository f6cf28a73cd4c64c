import type { Email } from '../../../adapters/mail.ts';
import { present } from '../../../base/present.ts';
import { escapeQuotedText } from '../../../markdown/html.ts';
import type { Services } from '../../../viewer/context.ts';
import { bulkHeaders, firstMessagePage, linksOf, placeName, threadOf } from './compose.ts';
import {
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
  textOf,
} from './letter.ts';
import type { MissedConversations, MissedMessages } from './missed-messages.ts';
import type { EmailKind } from './unsubscribe-token.ts';

/** Characters of the first message of a conversation. */
const MAX_EXCERPT = 200;

interface SummaryPurpose {
  /** Mail programs show those with the same name together. */
  name: string;
  subject(organization: string): string;
  reason: string;
  /** The e-mails that the link in it ends. Absent: those of the most important conversation. */
  ends?: EmailKind;
}

/** Composes an e-mail about several conversations: for each its name, the first message, and a link. */
export function composeSummary(services: Services, missed: MissedConversations, purpose: SummaryPurpose): Email {
  const first = present(missed.conversations[0]);
  const { organization, user } = first;
  const showsContent = mayShowContent(first);
  const { conversation: url, ...links } = linksOf(services, first, showsContent, purpose.ends);
  const count = missed.conversations.length + missed.more;
  const places = `${missed.isCut ? 'more than ' : ''}${count === 1 ? 'one conversation' : `${count} conversations`}`;
  const letter: Letter = {
    organization: organization.name,
    opening: `You have ${counted(missed.messages)} in ${places} of ${organization.name}.`,
    body: showsContent
      ? [...missed.conversations.map((one) => entryOf(services, one)), ...moreOf(missed.more)]
      : [NOT_SHOWN],
    button: { label: 'Read', url },
    reason: purpose.reason,
    ...links,
  };
  return {
    to: user.delivery_email,
    subject: headerText(clippedSubject(purpose.subject(organization.name))),
    text: textOf(letter),
    html: htmlOf(letter),
    fromName: clippedName(organization.name),
    thread: threadOf(first, purpose.name),
    headers: bulkHeaders(links.unsubscribe),
  };
}

function entryOf(services: Services, missed: MissedMessages): Entry {
  const [first] = missed.messages;
  const place = clippedName(placeName(missed));
  const count = counted(missed.messages.length + missed.more);
  const sender = clippedName(first?.sender ?? '');
  const excerpt = first ? contentText(first, MAX_EXCERPT).replace(/\s+/g, ' ').trim() : '';
  const { url } = firstMessagePage(services, missed, true);
  return {
    text: `${place}: ${count}\n${sender}: ${excerpt}\n${url}`,
    html: `<div style="margin:0 0 16px;overflow-wrap:anywhere">
<p style="margin:0 0 4px"><a href="${escapeQuotedText(url)}" style="color:#1f4fd8"><bdi>${escapeQuotedText(place)}</bdi></a> <span style="color:#586562">${count}</span></p>
<p style="margin:0" dir="auto"><strong><bdi>${escapeQuotedText(sender)}</bdi></strong> ${escapeQuotedText(excerpt)}</p>
</div>`,
  };
}

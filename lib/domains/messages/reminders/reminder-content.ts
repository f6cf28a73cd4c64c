import { channelOf, conversationOf } from '../../../access/messages.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { codePoints } from '../../../kernel/schemas.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { directAddress, topicAddress } from '../../../rules/narrow-addresses.ts';
import { truncate } from '../../../rules/topics.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { User } from '../../../storage/interface/users.ts';
import { silentMention } from '../notification-bot.ts';
import { quotation } from '../quotation.ts';

const TRUNCATED = '\n[message truncated]';
/** Room for the fences around a quotation, which may have to be longer than those inside: enough for nearly all. */
const FENCES = 200;

/**
 * What a reminder is about, and its note. What the message says is not in it: clients list it, and by then the
 * message may have been changed, deleted or hidden.
 */
export async function reminderContent(
  context: ReadContext,
  user: User,
  message: PlacedMessage,
  note: string,
): Promise<string> {
  return `You asked to be reminded of ${await messageLink(context, user, message)}.${noteText(note)}`;
}

/** What is sent at the time: the same with the message quoted, which is undefined where it may not be read any more. */
export async function sentReminder(
  context: ReadContext,
  user: User,
  message: PlacedMessage | undefined,
  note: string,
): Promise<string> {
  if (!message) {
    return `You asked to be reminded of a message that was deleted, or that you cannot read any more.${noteText(note)}`;
  }
  const sender = await context.tx.users.byId(message.sender_id);
  const said = sender ? `\n\n${silentMention(sender)} said:\n` : '\n\n';
  const head = `${await reminderContent(context, user, message, note)}${said}`;
  return `${head}${quotationWithin(MAX_MESSAGE_LENGTH - head.length, message.content)}`;
}

/** As much of a text as makes a quotation of so many characters at most. */
function quotationWithin(limit: number, text: string): string {
  const room = limit - FENCES;
  const quoted = quotation(truncate(text, room, TRUNCATED));
  if (codePoints(quoted) <= limit) return quoted;
  // Fences are longer than any row of backticks between them: with a third each, the whole is short enough.
  return quotation(truncate(text, Math.floor(room / 3), TRUNCATED));
}

const noteText = (note: string) => (note === '' ? '' : ` Your note:\n${quotation(note)}`);

async function messageLink(context: ReadContext, user: User, message: PlacedMessage): Promise<string> {
  const { id, channel_id, topic } = message;
  if (channel_id === null) {
    const { participants } = await conversationOf(context, message);
    const others = participants.filter((one) => one !== user.id);
    return `[a direct message](${directAddress(others.length > 0 ? others : participants)}/near/${id})`;
  }
  const { name } = await channelOf(context, channel_id);
  // What the syntax of links cannot hold has an address all the same.
  if (/[*>]/.test(name) || topic.includes('*'))
    return `[a message](${topicAddress(channel_id, name, topic)}/near/${id})`;
  return `#**${name}>${topic}@${id}**`;
}

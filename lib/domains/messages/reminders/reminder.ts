import * as v from 'valibot';
import { codePoints, describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { User } from '../../../model/users.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { directAddress, topicAddress } from '../../../rules/narrow.ts';
import { truncate } from '../../../rules/topics.ts';
import type { Reminder } from '../../../storage/interface/deliveries.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { channelOf, conversationOf } from '../../../viewer/audiences.ts';
import type { ReadContext } from '../../../viewer/context.ts';
import { quotation, silentMention } from '../notification-bot.ts';

export const reminderObject = v.object({
  reminder_id: v.number(),
  type: v.literal('private'),
  to: describe(v.array(v.number()), 'Your user ID.'),
  content: describe(v.string(), 'Markdown with a link to the message and your note.'),
  rendered_content: describe(v.string(), 'The same as HTML.'),
  scheduled_delivery_timestamp: describe(v.number(), 'UNIX time in seconds.'),
  failed: describe(v.boolean(), 'True if the reminder could not be sent.'),
  reminder_target_message_id: describe(v.number(), 'Message of the reminder.'),
});

export function reminderView(reminder: Reminder): v.InferOutput<typeof reminderObject> {
  const { id, user_id, content, rendered_content, scheduled_delivery_timestamp, message_id, failure } = reminder;
  return {
    reminder_id: id,
    type: 'private',
    to: [user_id],
    content,
    rendered_content,
    scheduled_delivery_timestamp,
    failed: failure !== null,
    reminder_target_message_id: message_id,
  };
}

export const reminderAdded = defineEvent('reminders/add', {
  summary: 'You set a reminder for a message.',
  fields: { reminders: v.array(reminderObject) },
});

export const reminderRemoved = defineEvent('reminders/remove', {
  summary: 'One of your reminders was sent or deleted.',
  fields: { reminder_id: v.number() },
});

const TRUNCATED = '\n[message truncated]';
/** Characters for the fences of a quotation, which must be longer than all fences in the text. Nearly always enough. */
const RESERVED_FENCE_CHARS = 200;

/** Without the message content: clients list reminders, and the message may change later. */
export async function reminderContent(context: ReadContext, user: User, message: PlacedMessage, note: string) {
  return `You set a reminder for ${await messageLink(context, user, message)}.${noteText(note)}`;
}

/** The text to send: the same with the message quoted. `message` is undefined if the user can no longer read it. */
export async function sentReminder(context: ReadContext, user: User, message: PlacedMessage | undefined, note: string) {
  if (!message) {
    return `You set a reminder for a message that was deleted, or that you can no longer read.${noteText(note)}`;
  }
  const sender = await context.tx.users.byId(message.sender_id);
  const said = sender ? `\n\n${silentMention(sender)} said:\n` : '\n\n';
  const head = `${await reminderContent(context, user, message, note)}${said}`;
  return `${head}${quotationWithin(MAX_MESSAGE_LENGTH - head.length, message.content)}`;
}

export function quotationWithin(limit: number, text: string, kind?: string): string {
  const room = limit - RESERVED_FENCE_CHARS;
  const quoted = quotation(truncate(text, room, TRUNCATED), kind);
  if (codePoints(quoted) <= limit) return quoted;
  // The text contains very long fences. Two fences and the text, each with a third of the characters, fit.
  return quotation(truncate(text, Math.floor(room / 3), TRUNCATED), kind);
}

const noteText = (note: string) => (note === '' ? '' : ` Your note:\n${quotation(note)}`);

export async function messageLink(context: ReadContext, user: User, message: PlacedMessage): Promise<string> {
  const { id, channel_id, topic } = message;
  if (channel_id === null) {
    const { participants } = await conversationOf(context, message);
    const others = participants.filter((one) => one !== user.id);
    return `[a direct message](${directAddress(others.length > 0 ? others : participants)}/near/${id})`;
  }
  const { name } = await channelOf(context, channel_id);
  // The short link syntax does not support these characters.
  if (/[*>]/.test(name) || topic.includes('*'))
    return `[a message](${topicAddress(channel_id, name, topic)}/near/${id})`;
  return `#**${name}>${topic}@${id}**`;
}

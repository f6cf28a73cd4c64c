import { confirm } from '../confirmation.ts';
import { findMessage, ifReadable } from '../lookups.ts';
import { messageLine } from '../output/conversation.ts';
import { oneLine, sanitize } from '../output/sanitize.ts';
import type { Call } from './metadata.ts';

/**
 * Asks for confirmation before an operation that cannot be undone, and prints its subject above the question.
 * Does not ask about a subject that the user cannot see: the operation will be refused.
 */
export async function confirmSubject(question: string, call: Call): Promise<void> {
  const subject = await subjectOf(call);
  if (subject === undefined) return;
  if (subject !== '') call.terminal.err(subject);
  await confirm(question);
}

async function subjectOf({ session, parameters, terminal }: Call): Promise<string | undefined> {
  const { message_id, stream_id, user_id, bot_id, field_id, scheduled_message_id } = parameters;
  if (scheduled_message_id !== undefined) {
    const answer = await ifReadable(session.scheduledMessages.list());
    const message = answer?.scheduled_messages.find((one) => one.scheduled_message_id === scheduled_message_id);
    return message && sanitize(message.content);
  }
  if (message_id !== undefined) {
    const message = await findMessage(session, message_id);
    // The subject goes to stderr, which may have no colours although stdout does.
    return message && messageLine(message, { ...terminal, style: terminal.errStyle });
  }
  if (stream_id !== undefined) {
    const answer = await ifReadable(session.channels.get({ stream_id: Number(stream_id) }));
    return answer && oneLine(answer.stream.name);
  }
  if (field_id !== undefined) {
    const answer = await ifReadable(session.profileFields.list());
    const field = answer?.custom_fields.find(({ id }) => id === field_id);
    return field && oneLine(field.name);
  }
  if (user_id === undefined && bot_id === undefined) return '';
  const answer = await ifReadable(session.users.get({ user_id: Number(user_id ?? bot_id) }));
  return answer && oneLine(`${answer.user.full_name} <${answer.user.delivery_email ?? answer.user.email}>`);
}

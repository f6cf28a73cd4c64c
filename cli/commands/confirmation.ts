import type { Session } from '../../lib/index.ts';
import { EXIT, Failure } from '../failure.ts';
import { ask } from '../input.ts';
import { messageLine } from '../output/conversation.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { ifReadable, messageOf } from '../telling/reads.ts';

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Asks a person before something goes that cannot be had back; what it is about stands above the question.
 * What cannot be seen is not asked about: the chat will refuse it.
 */
export async function confirm(
  question: string,
  session: Session,
  parameters: Parameters,
  terminal: Terminal,
): Promise<void> {
  const subject = await subjectOf(session, parameters, terminal);
  if (subject === undefined) return;
  if (subject !== '') terminal.err(subject);
  const answer = await ask(`${question} [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was changed.', EXIT.refused);
}

async function subjectOf(session: Session, parameters: Parameters, terminal: Terminal): Promise<string | undefined> {
  const { message_id, stream_id, user_id, bot_id } = parameters;
  if (message_id !== undefined) {
    const message = await messageOf(session, message_id);
    // The colours of stdout are not for stderr.
    return message && messageLine(message, { ...terminal, style: terminal.errStyle });
  }
  if (stream_id !== undefined) {
    const answer = await ifReadable(session.channels.get({ stream_id: Number(stream_id) }));
    return answer && oneLine(answer.stream.name);
  }
  if (user_id === undefined && bot_id === undefined) return '';
  const answer = await ifReadable(session.users.get({ user_id: Number(user_id ?? bot_id) }));
  return answer && oneLine(`${answer.user.full_name} <${answer.user.delivery_email ?? answer.user.email}>`);
}

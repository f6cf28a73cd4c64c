import { checkSomebodyAnswers, confirm } from '../input.ts';
import { findMessage, findScheduledMessage } from '../lookups.ts';
import { messageLine } from '../output/conversation.ts';
import { sentence } from '../output/sentence.ts';
import { sanitize } from '../output/text.ts';
import type { TypedCommand } from './command.ts';
import type { Call, CommandMetadata } from './metadata.ts';
import type { Parameters } from './resolve.ts';

/** The question to ask before the call. @throws UsageError if there is no terminal to ask at */
export function questionOf({ metadata, command }: TypedCommand): string | undefined {
  const { dryRun, yes } = command.opts();
  if (metadata.confirm === undefined || dryRun === true || yes === true) return undefined;
  checkSomebodyAnswers('Add --yes to run it without confirmation, or --dry-run to see its effects.');
  return metadata.confirm;
}

/** Shows what the call would do, or the message that the question is about. @throws Failure unless the answer is yes */
export async function confirmCall(
  question: string,
  call: Call<Parameters>,
  preview: CommandMetadata['preview'],
): Promise<void> {
  const { session, parameters, terminal } = call;
  if (preview) terminal.err(await preview(call));
  const { message_id, scheduled_message_id } = parameters;
  if (scheduled_message_id !== undefined) {
    const message = await findScheduledMessage(session, scheduled_message_id);
    // The operation will be refused.
    if (!message) return;
    terminal.err(sanitize(message.content));
  } else if (message_id !== undefined) {
    const message = await findMessage(session, message_id);
    if (!message) return;
    // The subject goes to stderr, which may have no colours although stdout does.
    terminal.err(messageLine(message, { ...terminal, style: terminal.errStyle }));
  }
  const fill = await sentence(question, session, parameters);
  await confirm(await fill({}));
}

import { HookFailed, type MessageSender, type ProposedMessage } from '../adapters/hooks.ts';
import { BadRequest } from '../base/errors.ts';
import type { User } from '../model/users.ts';
import type { Services } from '../viewer/context.ts';

const DEFAULT_TIMEOUT_MS = 5_000;
/** Characters of a hook's reason that the sender sees. */
const LONGEST_REASON = 1_000;

/**
 * The text to send.
 * @throws BadRequest with the reason if a hook refuses; HookFailed if a hook fails
 */
export async function contentAfterHooks(
  { options: { hooks }, logger }: Services,
  message: ProposedMessage,
  sender: User,
): Promise<string> {
  if (!hooks.beforeSend) return message.content;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = hooks;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new HookFailed(`took longer than ${timeoutMs} ms`));
      ending.abort();
    }, timeoutMs);
  });
  let verdict: Verdict;
  try {
    const asked = (async () => hooks.beforeSend?.(message, { sender: senderOf(sender), signal: ending.signal }))();
    verdict = readVerdict(await Promise.race([asked, tooLate]), message);
  } catch (error) {
    const failure = error instanceof HookFailed ? error : new HookFailed('failed', error);
    logger.error({ error: failure.cause ?? failure, sender: sender.id }, failure.message);
    throw failure;
  } finally {
    clearTimeout(timer);
  }
  if ('refuse' in verdict) throw new BadRequest(verdict.refuse.slice(0, LONGEST_REASON));
  return verdict.content;
}

type Verdict = { content: string } | { refuse: string };

function readVerdict(answer: unknown, message: ProposedMessage): Verdict {
  if (answer === undefined) return { content: message.content };
  if (typeof answer === 'object' && answer !== null) {
    if ('refuse' in answer && typeof answer.refuse === 'string' && answer.refuse.trim() !== '') {
      return { refuse: answer.refuse };
    }
    if ('content' in answer && typeof answer.content === 'string') return { content: answer.content };
  }
  // Not accepted as "send": a hook that returns false may intend to refuse.
  throw new HookFailed('must return undefined, { content } or { refuse } with a reason');
}

function senderOf({ id, delivery_email, full_name, role, bot_type, bot_owner_id }: User): MessageSender {
  return { user_id: id, email: delivery_email, full_name, role, is_bot: bot_type !== null, bot_owner_id };
}

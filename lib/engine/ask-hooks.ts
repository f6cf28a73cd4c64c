import type { Services } from '../access/context.ts';
import { HookFailed, type MessageSender, type ProposedMessage } from '../access/hooks.ts';
import { BadRequest } from '../base/errors.ts';
import type { User } from '../model/users.ts';
import type { Operation } from '../operation/operation.ts';
import type { Caller } from './callers.ts';
import type { Transact } from './transaction-context.ts';

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
  try {
    const asked = (async () => hooks.beforeSend?.(message, { sender: senderOf(sender), signal: ending.signal }))();
    return judged(await Promise.race([asked, tooLate]), message);
  } catch (error) {
    if (error instanceof Refused) throw new BadRequest(error.message.slice(0, LONGEST_REASON));
    const failure = error instanceof HookFailed ? error : new HookFailed('failed', error);
    logger.error({ error: failure.cause ?? failure, sender: sender.id }, failure.message);
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal. Errors that the hook itself throws are failures, even a `ChatError`. */
class Refused extends Error {}

function judged(verdict: unknown, message: ProposedMessage): string {
  if (verdict === undefined) return message.content;
  if (typeof verdict === 'object' && verdict !== null) {
    if ('refuse' in verdict && typeof verdict.refuse === 'string' && verdict.refuse.trim() !== '') {
      throw new Refused(verdict.refuse);
    }
    if ('content' in verdict && typeof verdict.content === 'string') return verdict.content;
  }
  // Not accepted as "send": a hook that returns false may intend to refuse.
  throw new HookFailed('must return undefined, { content } or { refuse } with a reason');
}

function senderOf({ id, delivery_email, full_name, role, bot_type, bot_owner_id }: User): MessageSender {
  return { user_id: id, email: delivery_email, full_name, role, is_bot: bot_type !== null, bot_owner_id };
}

/** Runs the hooks on the proposed message. Returns the parameters and the caller for the rest of the call. */
export async function afterHooks(
  services: Services,
  { propose }: Pick<Operation, 'propose'>,
  caller: Caller,
  parameters: Record<string, unknown>,
  transact: Transact,
): Promise<{ parameters: Record<string, unknown>; caller: Caller }> {
  const { proposal, actor } = await transact(caller, 'read', async (context) => ({
    proposal: await propose?.(context as never, parameters),
    actor: context.actor as User,
  }));
  if (!proposal) return { parameters, caller };
  const content = await contentAfterHooks(services, proposal.message, actor);
  // By user ID: the address may move to another account before the call continues.
  const bound = { ...caller, userId: actor.id };
  return { parameters: { ...parameters, ...proposal.pinned, content }, caller: bound };
}

import type { User } from '../model/users.ts';
import { contentAfterHooks } from './ask-hooks.ts';
import type { Call, Perform } from './call.ts';

/**
 * Calls the hooks of the embedding program with the message that the operation proposes, outside of any transaction.
 * The operation then repeats all checks. Dry runs call no hooks.
 */
export const hooked =
  (inner: Perform): Perform =>
  (call) =>
    hasHooks(call) ? afterHooks(call).then(inner) : inner(call);

export const hasHooks = ({ engine, operation, isDryRun }: Call): boolean =>
  operation.propose !== undefined && engine.options.hooks.beforeSend !== undefined && !isDryRun;

async function afterHooks(call: Call): Promise<Call> {
  const { engine, operation, caller, parameters } = call;
  const { proposal, actor } = await call.transact(caller, 'read', async (context) => ({
    proposal: await operation.propose?.(context as never, parameters),
    actor: context.actor as User,
  }));
  if (!proposal) return call;
  const content = await contentAfterHooks(engine, proposal.message, actor);
  // By user ID: the address may move to another account before the call continues.
  return {
    ...call,
    caller: { ...caller, userId: actor.id },
    parameters: { ...parameters, ...proposal.pinned, content },
  };
}

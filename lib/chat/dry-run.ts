import type { Caller } from '../kernel/callers.ts';
import { type Consequences, consequences, type DryRun, NOTHING, withMadeUpSecret } from '../kernel/consequences.ts';
import type { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import type { DecodeParameter } from '../kernel/parameters.ts';
import { unwrapRawJson } from '../kernel/raw-json.ts';
import type { Transact } from '../kernel/transact.ts';

/**
 * Runs an operation and leaves nothing of it. It refuses what the operation refuses, in the same words.
 * @throws BadRequest also for an operation that cannot be tried
 */
export async function dryRun(
  engine: Engine,
  operation: Operation,
  caller: Caller,
  values: Readonly<Record<string, unknown>> = {},
  decode?: DecodeParameter,
): Promise<DryRun> {
  checkMayBeTried(operation);
  // What only reads tells what it always tells.
  if (operation.effect === 'read') {
    return { answer: unwrapRawJson(await engine.call(operation, caller, values, decode)), ...NOTHING };
  }
  let found: Consequences | undefined;
  const transact: Transact = async (bound, effect, work, reading) => {
    if (effect === 'read') return engine.transact(operation, bound, effect, work, reading);
    if (found) throw severalSteps();
    return engine.rehearse(
      operation,
      bound,
      effect,
      (context) => work({ ...context, organization: withMadeUpSecret(context.organization) }),
      async ({ value, context, events, items }) => {
        found = await consequences(context, events, items);
        return value;
      },
    );
  };
  const answer = await engine.perform(operation, caller, values, decode, transact);
  return { answer: unwrapRawJson(answer), ...(found ?? NOTHING) };
}

/** Whether it makes sense to try an operation: it changes something, and can be tried. */
export function mayBeTried({ effect, limitedBy, longPoll }: Operation): boolean {
  return effect !== 'read' && limitedBy?.rule !== 'sign-in' && !longPoll;
}

/**
 * Some operations are more than their transactions: a sign-in that is only tried would tell whether a password is
 * right and nobody of the login, and a poll that is only tried would end the one that waits.
 * @throws BadRequest
 */
export function checkMayBeTried({ name, limitedBy, longPoll }: Operation): void {
  if (limitedBy?.rule === 'sign-in')
    throw new BadRequest(`${name} signs somebody in, which cannot be tried; do it, or leave it.`);
  if (longPoll) throw new BadRequest(`${name} waits for what others do, which cannot be tried; call it as it is.`);
}

function severalSteps(): BadRequest {
  return new BadRequest(
    'This is done in several steps, each of which builds on what the one before has stored, so it cannot be tried.',
  );
}

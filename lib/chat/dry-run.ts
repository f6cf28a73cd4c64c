import type { Caller } from '../kernel/callers.ts';
import { type Consequences, consequences, type DryRun, NOTHING, withMadeUpSecret } from '../kernel/consequences.ts';
import type { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import type { DecodeParameter } from '../kernel/parameters.ts';
import { unwrapRawJson } from '../kernel/raw-json.ts';
import type { Transact } from '../kernel/transact.ts';

/**
 * Runs an operation and rolls it back. Throws the same errors as the operation.
 * @throws BadRequest also if the operation does not support dry runs
 */
export async function dryRun(
  engine: Engine,
  operation: Operation,
  caller: Caller,
  values: Readonly<Record<string, unknown>> = {},
  decode?: DecodeParameter,
): Promise<DryRun> {
  checkMayBeTried(operation);
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

/** Whether a dry run of this operation is possible and useful: it changes something. */
export function mayBeTried({ effect, limitedBy, longPoll }: Operation): boolean {
  return effect !== 'read' && limitedBy?.rule !== 'sign-in' && !longPoll;
}

/**
 * A dry run rolls back the transaction only. A dry run of a sign-in would test a password without sending a login
 * notice. A dry run of a long poll would end the waiting poll.
 * @throws BadRequest if the operation does not support dry runs
 */
export function checkMayBeTried({ name, limitedBy, longPoll }: Operation): void {
  if (limitedBy?.rule === 'sign-in')
    throw new BadRequest(`${name} signs in a user and does not support dry runs. Call it without one.`);
  if (longPoll) throw new BadRequest(`${name} is a long poll and does not support dry runs. Call it without one.`);
}

function severalSteps(): BadRequest {
  return new BadRequest('This call runs in several steps, and a dry run supports only one. Call it without a dry run.');
}

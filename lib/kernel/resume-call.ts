import type { Caller, Callers } from './callers.ts';
import type { ManualContext, Services } from './context.ts';
import { manualContext } from './manual-context.ts';
import type { Operation } from './operation.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';
import type { ResumedContext, Resumption } from './resumption.ts';
import type { Transact } from './transact.ts';

/** A call not yet begun, where this process knows already who calls, and that nothing has changed for them. */
export function resumeCall(
  services: Services,
  transact: Transact,
  callers: Callers,
  operation: Operation,
  caller: Caller,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
): Resumption | undefined {
  if (!operation.resume || unknownParameters(operation, values).length > 0) return undefined;
  let parameters: Record<string, unknown>;
  try {
    parameters = readParameters(operation, values, decode);
  } catch {
    // Whoever calls is looked at before what is wrong with the parameters is told.
    return undefined;
  }
  const contextOf: ResumedContext = (known) =>
    manualContext(services, caller, known, transact, false) as ManualContext<'user'>;
  const resumed = operation.resume(services, parameters, contextOf);
  return resumed && callers.isStill(caller, resumed.actor) ? resumed : undefined;
}

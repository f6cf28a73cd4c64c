import type { Departure } from '../delivery/waiter.ts';
import type { Callers, Shown } from './callers.ts';
import type { Services } from './context.ts';
import type { Operation } from './operation.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';
import type { Asker, Resumption } from './resumption.ts';

/** A call as it is asked for, with what its caller has shown. */
export type Resuming = [
  operation: Operation,
  shown: Shown,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
];

/** A call not yet begun, where this process knows already who calls, and that nothing has changed for them. */
export function resumeCall(
  services: Services,
  callers: Callers,
  ...[operation, shown, values, decode]: Resuming
): Resumption | undefined {
  if (!operation.resume || unknownParameters(operation, values).length > 0) return undefined;
  let parameters: Record<string, unknown>;
  try {
    parameters = readParameters(operation, values, decode);
  } catch {
    // Whoever calls is looked at before what is wrong with the parameters is told.
    return undefined;
  }
  const resumed = operation.resume(services, parameters);
  return resumed && callers.isStill(shown, resumed.actor) ? resumed : undefined;
}

/** Goes on with a call for whoever waits for a promise. */
export function asPromised(resumed: Resumption, context: Asker['context'], signal: Departure | undefined) {
  return new Promise<object>((resolve, reject) => resumed.begin({ context, resolve, reject }, signal));
}

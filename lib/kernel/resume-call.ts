import type { Departure } from '../delivery/waiter.ts';
import type { CallerIdentity, Callers } from './callers.ts';
import type { Services } from './context.ts';
import type { Operation } from './operation.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';
import type { Asker, Resumption } from './resumption.ts';

/** A call with its caller. */
export type Resuming = [
  operation: Operation,
  shown: CallerIdentity,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
];

/** A call that can continue without the database: this process knows the caller, and nothing has changed for it. */
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
    // The caller must be authorized before parameter errors are reported.
    return undefined;
  }
  const resumed = operation.resume(services, parameters);
  return resumed && callers.isStill(shown, resumed.actor) ? resumed : undefined;
}

/** Runs a resumed call as a promise. */
export function asPromised(resumed: Resumption, context: Asker['context'], signal: Departure | undefined) {
  return new Promise<object>((resolve, reject) => resumed.begin({ context, resolve, reject }, signal));
}

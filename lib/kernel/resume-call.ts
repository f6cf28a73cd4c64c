import type { CallerIdentity, Callers } from './callers.ts';
import type { Services } from './context.ts';
import type { Operation, Resumption } from './operation.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';

/** A call that can continue without the database: this process knows the caller, and nothing has changed for it. */
export function resumeCall(
  services: Services,
  callers: Callers,
  operation: Operation,
  shown: CallerIdentity,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
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

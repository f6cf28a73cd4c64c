import { withoutSecrets } from '../operation/secrets.ts';
import type { Perform } from './call.ts';
import { checkLoginParameters } from './callers.ts';
import { readParameters, unknownParameters } from './parameters.ts';

/**
 * Reads the parameters. Leaves secrets out of every answer to a token, also out of a stored one. The answer names
 * parameters that are unknown.
 */
export const decoded =
  (inner: Perform): Perform =>
  async (call) => {
    const { operation, caller, values, note } = call;
    let parameters: Record<string, unknown>;
    try {
      parameters = readParameters(operation, values, call.decode);
      checkLoginParameters(operation, caller, parameters);
    } catch (refusal) {
      note?.read({}, refusal);
      // Authorizes the caller first. A request with invalid parameters never opens a write transaction.
      return call.transact(caller, 'read', () => Promise.reject(refusal));
    }
    note?.read(parameters);
    const answer = await inner({ ...call, parameters });
    const result = caller.login?.kind === 'token' ? withoutSecrets(operation, answer) : answer;
    // Not before the call: fields after a streamed file arrive while it runs.
    const ignored = unknownParameters(operation, values);
    return ignored.length === 0 ? result : { ...result, ignored_parameters_unsupported: ignored };
  };

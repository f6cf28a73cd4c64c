import { TransactionUnsuitable } from '../base/errors.ts';
import { unwrapRawJson } from '../base/raw-json.ts';
import { operations } from '../catalogue.ts';
import { type Caller, SYSTEM_CLIENT } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { unknownParameters } from '../engine/parameters.ts';
import type { Operation } from '../operation/operation.ts';
import { plainReference } from './accounts.ts';
import type { Chat, LocalSession } from './chat.ts';
import { dryRun, why } from './dry-run.ts';
import { downloadUpload } from './open-upload.ts';
import { type Session, sessionOver } from './session.ts';

const CLIENT = 'Parlance';

const METHODS = operations.map((operation) => ({ operation, name: operation.name, path: operation.name.split('.') }));

/** Sessions on the database in this process. */
export function localSessions(engine: Engine, isClosed: () => boolean): Pick<Chat, 'as' | 'system' | 'anonymous'> {
  const sessionOf = (caller: Caller): Session =>
    sessionOver<(typeof METHODS)[number]>({
      operations: METHODS,
      invoke: async ({ operation }, parameters, { signal }) => {
        checkParameterNames(operation, parameters);
        const answer = await engine.call(operation, signal ? { ...caller, signal } : caller, parameters);
        if (operation.effect === 'poll') signal?.throwIfAborted();
        return unwrapRawJson(answer);
      },
      dryRun: async ({ operation }, parameters) => {
        checkParameterNames(operation, parameters);
        return dryRun(engine, operation, caller, parameters);
      },
      why: (user, { operation }, parameters) =>
        why(engine, operation, {
          asker: caller.isSystem ? undefined : caller,
          about: user,
          values: parameters,
        }),
      download: (pathId, options) => downloadUpload(engine, caller, pathId, options),
      isClosed,
    });

  const localSessionOf = (caller: Caller): LocalSession =>
    Object.assign(sessionOf(caller), {
      within: (connection: object) => {
        // Without this check, a missing connection would commit the call at once.
        if (typeof connection !== 'object' || connection === null)
          throw new TransactionUnsuitable('Pass the connection on which the transaction is open to within.');
        return sessionOf({ ...caller, within: connection });
      },
    });

  return {
    /** Every call looks the address up again, in its own transaction: the address may move to another account. */
    as: (user, { client = CLIENT } = {}) => {
      const account = plainReference(user);
      if (typeof account === 'object') return localSessionOf({ externalId: account.external_id, client });
      return localSessionOf({ ...(typeof account === 'number' ? { userId: account } : { address: account }), client });
    },
    system: () => localSessionOf({ isSystem: true, client: SYSTEM_CLIENT }),
    anonymous: ({ client = CLIENT, confirmedEmail } = {}) =>
      sessionOf({ userId: null, client, ...(confirmedEmail === undefined ? {} : { confirmedEmail }) }),
  };
}

/** In production, a program of another version may still know a parameter. */
function checkParameterNames(operation: Operation, parameters: Record<string, unknown>): void {
  if (process.env.NODE_ENV !== 'development') return;
  const [unknown] = unknownParameters(operation, parameters);
  if (unknown === undefined) return;
  const names = Object.keys(operation.params).join(', ') || 'none';
  throw new TypeError(`${operation.name} has no parameter "${unknown}". It has: ${names}.`);
}

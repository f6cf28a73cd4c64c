import type { User } from '../storage/interface/users.ts';
import type { AuthorizedCall, Caller } from './callers.ts';
import type { ManualContext, Services, TransactionContext } from './context.ts';
import type { Transact } from './transact.ts';

/**
 * The context of an operation that opens its own transactions.
 * @param known the caller, unless the first transaction authorizes it
 */
export function manualContext(
  services: Services,
  caller: Caller,
  known: Pick<AuthorizedCall, 'actor' | 'organization'> | undefined,
  transact: Transact,
  isTrial: boolean,
): ManualContext {
  let admitted = known;
  const started = () => {
    if (!admitted) throw new Error('The caller is not known before the first transaction.');
    return admitted;
  };
  return {
    get actor() {
      return started().actor as User;
    },
    get organization() {
      return started().organization;
    },
    now: services.clock.now(),
    client: caller.client,
    confirmedEmail: caller.confirmedEmail,
    services,
    signal: caller.signal,
    turn: caller.turn,
    isTrial,
    // By user ID, so that the operation continues as the same user if the address moves to another account.
    transact: (effect, work, reading) => {
      const bound = admitted?.actor ? { ...caller, userId: admitted.actor.id } : caller;
      const begin = (context: TransactionContext) => {
        admitted ??= context;
        return work(context);
      };
      return transact(bound, effect, begin, reading);
    },
  };
}

import type { User } from '../storage/interface/users.ts';
import type { AuthorizedCall, Caller } from './callers.ts';
import type { ManualContext, Services, TransactionContext } from './context.ts';
import type { Transact } from './transact.ts';

/**
 * What an operation that opens its own transactions is given.
 * @param known who calls, unless the first transaction lets them in
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
    if (!admitted) throw new Error('Who calls is not known before the first transaction.');
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
    // Whoever began it goes on with it, also when their address passes to somebody else.
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

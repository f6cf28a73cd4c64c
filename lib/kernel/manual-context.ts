import type { User } from '../storage/interface/users.ts';
import type { AuthorizedCall, Caller } from './callers.ts';
import type { ManualContext, Services } from './context.ts';
import type { Transact } from './transact.ts';

/** What an operation that opens its own transactions is given. */
export function manualContext(
  services: Services,
  caller: Caller,
  { actor, organization }: Pick<AuthorizedCall, 'actor' | 'organization'>,
  transact: Transact,
  isTrial: boolean,
): ManualContext {
  return {
    actor: actor as User,
    organization,
    now: services.clock.now(),
    client: caller.client,
    confirmedEmail: caller.confirmedEmail,
    services,
    signal: caller.signal,
    turn: caller.turn,
    isTrial,
    // Whoever began it goes on with it, also when their address passes to somebody else.
    transact: (effect, work, extent) =>
      transact(actor ? { ...caller, userId: actor.id } : caller, effect, work, extent),
  };
}

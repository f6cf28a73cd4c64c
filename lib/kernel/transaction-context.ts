import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import type { AuthorizedCall, Caller } from './callers.ts';
import type { Services, TransactionContext, TransactionHooks } from './context.ts';

/** The context of a transaction with an authorized caller. */
export function transactionContext(
  services: Services,
  tx: Transaction,
  { actor, organization, versions }: AuthorizedCall,
  { client, confirmedEmail }: Caller,
  hooks: TransactionHooks,
): TransactionContext {
  return {
    tx,
    actor: actor as User,
    organization,
    now: services.clock.now(),
    client,
    confirmedEmail,
    services,
    channelsVersion: versions.channels_version,
    usersVersion: versions.users_version,
    readersVersion: versions.readers_version,
    pushVersion: versions.push_version,
    ...hooks,
  };
}

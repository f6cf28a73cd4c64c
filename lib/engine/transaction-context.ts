import type { ManualContext, OutboxDraft, Services, TransactionContext, TransactionHooks } from '../access/context.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { Effect } from '../operation/operation.ts';
import type { EventDraft } from '../storage/interface/events.ts';
import type { Reading, Storage, Transaction } from '../storage/interface/storage.ts';
import { type AuthorizedCall, type Caller, isStill } from './callers.ts';
import { type RepeatableCall, untilAnswered } from './idempotency.ts';

export type Transact = <T>(
  caller: Caller,
  effect: Exclude<Effect, 'manual'>,
  work: (context: TransactionContext) => Promise<T>,
  reading?: Reading,
) => Promise<T>;

export interface Change<T> {
  value: T;
  context: TransactionContext;
  call: AuthorizedCall;
  events: EventDraft[];
  items: OutboxDraft[];
  /** Functions to run after the commit. */
  afterwards: (() => void)[];
  /** For the audit log. undefined: nothing was noted. */
  noted: Readonly<Record<string, number | null>> | undefined;
}

const aboutCaller = ({ client, confirmedEmail, login }: Caller) => ({
  client,
  confirmedEmail,
  loginEndsAt: login && login.expiresAt * 1000,
});

export function transactionContext(
  services: Services,
  { actor, organization, versions }: AuthorizedCall,
  caller: Caller,
  inTransaction: TransactionHooks & { tx: Transaction },
): TransactionContext {
  return {
    actor: actor as User,
    organization,
    now: services.clock.now(),
    ...aboutCaller(caller),
    services,
    channelsVersion: versions.channels_version,
    usersVersion: versions.users_version,
    readersVersion: versions.readers_version,
    pushVersion: versions.push_version,
    ...inTransaction,
  };
}

interface ManualOptions {
  known?: (Pick<AuthorizedCall, 'actor' | 'organization'> & { first?: object | undefined }) | undefined;
  isDryRun?: boolean;
  repeatable?: RepeatableCall | undefined;
}

/**
 * The context of an operation that opens its own transactions.
 * @param options `known`: the caller, unless the first transaction authorizes it, and the answer of the first call with
 *   the same key
 */
export function manualContext(
  services: Services,
  caller: Caller,
  transact: Transact,
  { known, isDryRun = false, repeatable }: ManualOptions = {},
): ManualContext {
  let admitted: Pick<AuthorizedCall, 'actor' | 'organization'> | undefined = known;
  const started = () => {
    if (!admitted) throw new Error('The caller is not known before the first transaction.');
    return admitted;
  };
  // By user ID, so that the operation continues as the same user if the address moves to another account.
  const inSteps: ManualContext['transact'] = (effect, work, reading) => {
    const bound = admitted?.actor ? { ...caller, userId: admitted.actor.id } : caller;
    const begin = (context: TransactionContext) => {
      admitted ??= context;
      return work(context);
    };
    return transact(bound, effect, begin, reading);
  };
  return {
    get actor() {
      return started().actor as User;
    },
    get organization() {
      return started().organization;
    },
    now: services.clock.now(),
    ...aboutCaller(caller),
    services,
    signal: caller.signal,
    permit: caller.permit,
    isDryRun,
    transact: inSteps,
    continueAs: (account) => {
      if (!isStill(caller, account, services.clock.now())) return false;
      admitted = { actor: account, organization: services.hub.organizations.newest as Organization };
      return true;
    },
    first: known?.first,
    once: (effect, work, content) =>
      repeatable ? untilAnswered(() => inSteps(effect, repeatable.once(work, content))) : inSteps(effect, work),
  };
}

/**
 * For work outside of operations, which reads no versions. Each write first checks that no newer process has applied
 * a breaking migration.
 */
export function withCheckedWrites(storage: Storage): Services['storage'] {
  return {
    read: (work, extent, ahead) => storage.read(work, extent, ahead),
    write: (work, options) =>
      storage.write(async (tx) => {
        await tx.organization.versions();
        return work(tx);
      }, options),
  };
}

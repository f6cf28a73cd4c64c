import type { User } from '../model/users.ts';
import type { EventDraft } from '../storage/interface/events.ts';
import type { ReadExtent, Storage, Transaction } from '../storage/interface/storage.ts';
import {
  type ManualContext,
  type OutboxDraft,
  type Services,
  TOKEN_LOGIN,
  type TransactionContext,
  type TransactionHooks,
} from '../viewer/context.ts';
import { Viewer } from '../viewer/viewer.ts';
import type { Transact } from './call.ts';
import { type AuthorizedCall, type Caller, isStill } from './callers.ts';
import { type RepeatableCall, untilAnswered } from './idempotency.ts';

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

const loginOf = ({ login, keyGeneration, isConfirmed }: Caller) => ({
  loginEndsAt: login && login.expiresAt * 1000,
  loginId: login?.kind === 'token' ? TOKEN_LOGIN : login?.id,
  // Each credential that a thief can have comes with the generation of its key.
  isConfirmed: isConfirmed === true || keyGeneration === undefined,
});

export function transactionContext(
  services: Services,
  { actor, organization, versions }: AuthorizedCall,
  caller: Caller,
  inTransaction: TransactionHooks & { tx: Transaction },
): TransactionContext {
  const now = services.clock.now();
  const { tx, account } = inTransaction;
  return {
    actor: actor as User,
    viewer: (actor && new Viewer({ tx, organization, now }, actor, account)) as Viewer,
    organization,
    now,
    client: caller.client,
    confirmedEmail: caller.confirmedEmail,
    ...loginOf(caller),
    services,
    channelsVersion: versions.channels_version,
    usersVersion: versions.users_version,
    readersVersion: versions.readers_version,
    pushVersion: versions.push_version,
    ...inTransaction,
  };
}

interface ManualOptions {
  /** Of reads that do not set it. */
  extent?: ReadExtent | undefined;
  first?: object | undefined;
  repeatable?: RepeatableCall | undefined;
  isDryRun?: boolean;
}

/** The context of an operation that opens its own transactions. The first one authorizes the caller. */
export function manualContext(
  services: Services,
  caller: Caller,
  transact: Transact,
  { extent, first, repeatable, isDryRun = false }: ManualOptions = {},
): ManualContext {
  let actor: User | undefined;
  let isCallerChecked = false;
  const inSteps: ManualContext['transact'] = (effect, work, reading) => {
    isCallerChecked = true;
    // By user ID, so that the operation continues as the same user if the address moves to another account.
    const bound = actor ? { ...caller, userId: actor.id } : caller;
    const begin = (context: TransactionContext) => {
      actor ??= context.actor;
      return work(context);
    };
    return transact(bound, effect, begin, { extent, ...reading });
  };
  return {
    get isCallerChecked() {
      return isCallerChecked;
    },
    now: services.clock.now(),
    client: caller.client,
    network: caller.network,
    countGuess: caller.countGuess,
    browser: caller.browser,
    confirmedEmail: caller.confirmedEmail,
    ...loginOf(caller),
    services,
    signal: caller.signal,
    permit: caller.permit,
    isDryRun,
    transact: inSteps,
    continueAs: (account) => {
      if (!isStill(caller, account, services.clock.now())) return false;
      actor = account;
      isCallerChecked = true;
      return true;
    },
    first,
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
    read: (work, extent) => storage.read(work, extent),
    write: (work, kind) =>
      storage.write(async (tx) => {
        await tx.organization.versions();
        return work(tx);
      }, kind),
  };
}

import type { ServiceOptions } from '../access/chat-options.ts';
import type { ManualContext, OutboxDraft, Services, TransactionContext, TransactionHooks } from '../access/context.ts';
import { PresenceCache } from '../access/presence.ts';
import { UserDirectory } from '../access/user-list.ts';
import { ChannelCache, Muters, PushOwners } from '../access/versioned-caches.ts';
import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { ChatError, TransactionUnsuitable } from '../base/errors.ts';
import { EventEncoder } from '../events/event-encoder.ts';
import { EventHub } from '../events/hub.ts';
import { Worker } from '../jobs/worker.ts';
import type { AfterRefusal, Registered } from '../operation/feature.ts';
import type { Effect, Operation, Resumption } from '../operation/operation.ts';
import { withoutSecrets } from '../operation/secrets.ts';
import type { EventDraft } from '../storage/interface/events.ts';
import type { Reading, Transaction } from '../storage/interface/storage.ts';
import { afterHooks } from './ask-hooks.ts';
import { AuditNote, auditCleanup, mayBeAudited, Refusals, recordAfterwards } from './audit.ts';
import {
  type Admission,
  type AuthorizedCall,
  type CallArguments,
  type Caller,
  Callers,
  checkLoginParameters,
  measured,
  resumeCall,
  scanInTurn,
} from './callers.ts';
import { expiredIdempotencyKeys, IdempotencyKeys, untilAnswered } from './idempotency.ts';
import { fileParameter, readParameters, unknownParameters } from './parameters.ts';
import { RoundRobin } from './round-robin.ts';
import {
  type Change,
  manualContext,
  type Transact,
  transactionContext,
  withCheckedWrites,
} from './transaction-context.ts';

/** Runs operations: transaction, caller, access, parameters, events, side effects. */
export class Engine implements Services {
  /** For work outside of operations. */
  readonly storage: Services['storage'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hub: EventHub;
  readonly worker: Worker;
  readonly wire: EventEncoder;
  readonly initialState: Registered['initialState'];
  readonly consequences: Registered['consequences'];
  readonly channelCache = new ChannelCache();
  readonly muters = new Muters();
  readonly pushOwners = new PushOwners();
  readonly presenceCache = new PresenceCache(() => this.rearm());
  readonly #callers: Callers;
  readonly #refused: Registered['refused'];
  readonly #predictable: ReadonlySet<string>;
  readonly #directory = new UserDirectory();
  readonly #scans: RoundRobin;
  readonly refusals: Refusals;
  /** Whether an administrator of the machine makes the calls, with `chatctl` on the database. */
  isLocal = false;
  readonly idempotencyKeys = new IdempotencyKeys();

  constructor(
    readonly options: ServiceOptions,
    registered: Registered,
  ) {
    this.storage = withCheckedWrites(options.storage);
    this.clock = options.clock;
    this.logger = options.logger;
    this.#callers = new Callers(options);
    this.refusals = new Refusals(this.storage, options.clock, options.logger);
    this.#scans = new RoundRobin(options.storage.scans ?? 1);
    this.hub = new EventHub(options.storage, options.logger, this.#callers.organizations);
    this.wire = new EventEncoder(registered.events);
    this.initialState = registered.initialState;
    this.consequences = registered.consequences;
    this.#refused = registered.refused;
    this.#predictable = new Set(registered.outboxKinds.filter((kind) => kind.isPredictable).map(({ kind }) => kind));
    this.worker = new Worker(
      this,
      [...registered.dueWork, expiredIdempotencyKeys, auditCleanup],
      registered.outboxKinds,
    );
  }

  /**
   * Runs an operation for a caller. Checks access first, then parameters, then everything else. With `decode`, values
   * are text from a transport.
   */
  call(...call: CallArguments): Promise<object> {
    const [operation, caller] = call;
    if (caller.within) checkMayRunWithin(operation);
    if (mayBeAudited(operation)) return this.#performAudited(call);
    const resumed = this.resumed(...call);
    const refused = this.#refused[operation.name];
    if (!resumed) return refused ? this.#performWatched(call, refused) : this.perform(call);
    const transact: Transact = (...step) => this.transact(operation, ...step);
    return resumed.run(manualContext(this, caller, transact, { known: resumed }) as ManualContext<'user'>);
  }

  /** Whether dry runs list side effects of this kind. */
  readonly isPredictable = (kind: string): boolean => this.#predictable.has(kind);

  /** Continues a call without the database. Undefined if it has to authorize the caller. */
  resumed(...call: CallArguments): Resumption | undefined {
    return resumeCall(this, this.#callers, call);
  }

  #performWatched(call: CallArguments, refused: AfterRefusal): Promise<object> {
    const [operation, caller] = call;
    return this.perform(call).catch(async (refusal) => {
      const transact: Transact = (...step) => this.transact(operation, ...step);
      const context = manualContext(this, caller, transact) as ManualContext<'user'>;
      const act = refusal instanceof ChatError ? refused(context, refusal) : undefined;
      await act?.catch((error) => this.logger.error({ error }, 'an action after a refusal failed'));
      throw refusal;
    });
  }

  /** A success is recorded in the transaction of the change. A refusal has no transaction and is recorded later. */
  async #performAudited(call: CallArguments): Promise<object> {
    const [operation, caller] = call;
    const note = new AuditNote(operation, caller, this.clock, this.isLocal);
    try {
      const result = await this.perform(call, { note });
      if (note.isSignIn) await recordAfterwards(this, note.signIn((result as { user_id: number }).user_id));
      else if (operation.effect === 'read') await recordAfterwards(this, note.done(note.actorId));
      return result;
    } catch (error) {
      const refusal = error instanceof ChatError ? note.refused(error) : undefined;
      if (refusal) this.refusals.add(refusal);
      throw error;
    }
  }

  /** Like `call`. A dry run passes its own transactions, and may pass its own services. */
  async perform(
    [operation, caller, values = {}, decode]: CallArguments,
    { dryRun, note, services = this }: { dryRun?: Transact; note?: AuditNote; services?: Services } = {},
  ): Promise<object> {
    const transact: Transact =
      dryRun ?? ((bound, effect, work, reading) => this.transact(operation, bound, effect, work, { ...reading, note }));
    let parameters: Record<string, unknown>;
    try {
      parameters = readParameters(operation, values, decode);
      checkLoginParameters(operation, caller, parameters);
    } catch (refusal) {
      note?.read({}, refusal);
      // Authorizes the caller first. A request with invalid parameters never opens a write transaction.
      return transact(caller, 'read', () => Promise.reject(refusal));
    }
    note?.read(parameters);
    const repeatable = await this.idempotencyKeys.callOf(operation, parameters);
    note?.watch(repeatable);
    let bound = caller;
    if (operation.propose && !dryRun && this.options.hooks.beforeSend) {
      const recall = async () => repeatable && transact(caller, 'read', (context) => repeatable.recall(context));
      let first = await recall();
      try {
        if (!first)
          ({ parameters, caller: bound } = await afterHooks(this, operation, { caller, parameters }, transact));
      } catch (refusal) {
        // The same call may have succeeded elsewhere while the hook decided about this one.
        first = await recall();
        if (!first) throw refusal;
      }
      if (first) return withIgnored(first, unknownParameters(operation, values));
    }
    let result: object;
    const extent = operation.extent?.(parameters);
    if (operation.effect === 'manual') {
      const inSteps: Transact = (bound, effect, work, reading) => transact(bound, effect, work, { extent, ...reading });
      // The digest of a streamed file is not known yet.
      const whole = fileParameter(operation)?.isStreamed ? undefined : repeatable;
      const attempt = async () => {
        const known = operation.startsInTransaction
          ? undefined
          : await transact(bound, 'read', async (context) => {
              const { actor, organization } = context;
              return { actor, organization, first: await whole?.recall(context) };
            });
        const options = { known, isDryRun: dryRun !== undefined, repeatable };
        const context = manualContext(services, bound, inSteps, options);
        return operation.run(context as never, parameters);
      };
      result = await attempt().catch(async (refusal) => {
        // The same call may have succeeded elsewhere since this one looked.
        const isElsewhere = whole && !whole.isAnswered && (await transact(bound, 'read', (of) => whole.recall(of)));
        if (!isElsewhere) throw refusal;
        return attempt();
      });
    } else {
      const { userId } = bound;
      const ahead =
        operation.prefetch && typeof userId === 'number'
          ? (tx: Transaction) => operation.prefetch?.(tx, parameters, userId) ?? []
          : undefined;
      const { effect } = operation;
      const work = async (context: TransactionContext) => operation.run(context as never, parameters);
      result = repeatable
        ? await untilAnswered(() => transact(bound, effect, repeatable.once(work)))
        : await transact(bound, effect, work, { extent, ahead });
    }
    // Not before `run`: fields after a streamed file arrive while it runs.
    return withIgnored(
      caller.login?.kind === 'token' ? withoutSecrets(operation, result) : result,
      unknownParameters(operation, values),
    );
  }

  /** One transaction of an operation: authorizes the caller, runs the work, commits, wakes listeners. */
  async transact<T>(
    operation: Admission,
    caller: Caller,
    effect: Exclude<Effect, 'manual'>,
    work: (context: TransactionContext) => Promise<T>,
    { extent, ahead, note }: Reading & { note?: AuditNote | undefined } = {},
  ): Promise<T> {
    if (effect === 'read') {
      const read = (tx: Transaction) =>
        measured(caller, async (begin) => {
          // A reader thread works on queries sent ahead before the first answer arrives.
          if (ahead && extent) begin();
          const admitted = await this.#callers.admit(tx, operation, caller, begin);
          // A read transaction sees only committed data, so it may fill caches.
          this.#callers.keep(admitted);
          if (note) note.actorId = admitted.actor?.id;
          return work(transactionContext(this, admitted, caller, this.#readHooks(tx, admitted)));
        });
      const perform = () => this.options.storage.read(read, extent, ahead);
      return extent === 'scan' ? scanInTurn(this.#scans, caller, perform) : perform();
    }
    const perform = async (tx: Transaction) => {
      const change = await measured(caller, (begin) => this.#change(tx, operation, caller, work, begin));
      const { events, items, context, noted } = change;
      if (note && !note.mayOmit(noted)) {
        await tx.audit.add([note.done(change.call.actor?.id, change.value, noted)]);
      }
      if (events.length > 0) await tx.events.append(events, context.now);
      await tx.outbox.add(items.map((item) => ({ ...item, due_ms: item.due_ms ?? context.now })));
      return change;
    };
    // The host may still roll back: caches stay as they are, and its commit wakes this process like any other.
    if (caller.within) return (await this.#writeWithin(caller.within, perform)).value;
    const { value, call, events, items, afterwards } = await this.options.storage.write(perform, {
      shared: effect !== 'write',
      brief: effect === 'append',
      appendsLast: true,
    });
    note?.keep();
    this.#callers.keep(call);
    for (const then of afterwards) then();
    // A write without events may have changed accounts of waiting polls.
    if (events.length > 0 || effect === 'write') this.hub.wake();
    if (items.length > 0) this.worker.rearm();
    return value;
  }

  #writeWithin<T>(connection: object, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { storage } = this.options;
    if (!storage.writeWithin) throw new TransactionUnsuitable('This storage cannot use a transaction of your program.');
    return storage.writeWithin(connection, work);
  }

  /** A write transaction that is inspected with `look` and rolled back. Fills no caches and wakes nothing. */
  dryRunTransaction<T, R>(
    operation: Admission,
    caller: Caller,
    effect: Exclude<Effect, 'manual' | 'read'>,
    work: (context: TransactionContext) => Promise<T>,
    look: (change: Change<T>) => Promise<R>,
  ): Promise<R> {
    const inspect = async (tx: Transaction) =>
      look(await measured(caller, (begin) => this.#change(tx, operation, caller, work, begin)));
    return this.options.storage.dryRun(inspect, { shared: effect !== 'write' });
  }

  async #change<T>(
    tx: Transaction,
    operation: Admission,
    caller: Caller,
    work: (context: TransactionContext) => Promise<T>,
    begin: () => void,
  ): Promise<Change<T>> {
    const call = await this.#callers.admit(tx, operation, caller, begin);
    const [events, items]: [EventDraft[], OutboxDraft[]] = [[], []];
    const afterwards: (() => void)[] = [];
    let noted: Change<T>['noted'];
    const context = transactionContext(this, call, caller, {
      tx,
      account: (id) => tx.users.byId(id),
      accounts: () => new UserDirectory().at(tx, call.versions, call.organization),
      emit: (audience, event, delivery) => {
        this.wire.declarationOf(event);
        events.push({ audience, event, ...delivery });
      },
      enqueue: (item) => void items.push(item),
      afterCommit: (then) => void afterwards.push(then),
      audit: (details) => {
        noted = { ...noted, ...details };
      },
    });
    const value = await work(context);
    return { value, context, call, events, items, afterwards, noted };
  }

  asSystem: Services['asSystem'] = (effect, work) =>
    this.transact({ access: 'anyone' }, { userId: null, client: 'Parlance' }, effect, work as never);

  appendAs: Services['appendAs'] = (caller, work) => this.transact({ access: 'user' }, caller, 'append', work as never);

  rearm(): void {
    this.worker.rearm();
  }

  /** Clears caches after the database continues from an older state. Other caches compare versions, which rose. */
  rewind(): void {
    this.logger.warn({}, 'the database continues from an older state (failover or backup); caches were cleared');
    this.#directory.clear();
    this.presenceCache.clear();
    this.hub.rewind();
  }

  #readHooks(tx: Transaction, { organization, versions }: AuthorizedCall): TransactionHooks & { tx: Transaction } {
    return {
      tx,
      account: async (id) => {
        const user = await this.#callers.users.byId(tx, id, versions.users_version);
        if (user) this.#callers.users.keep(user, versions.users_version);
        return user;
      },
      accounts: () => this.#directory.at(tx, versions, organization),
      emit: refuseInRead,
      enqueue: refuseInRead,
      afterCommit: refuseInRead,
      audit: refuseInRead,
    };
  }
}

/** Other writes block all writers until they commit. */
function checkMayRunWithin({ name, effect }: Operation): void {
  if (effect === 'append' || effect === 'mark') return;
  throw new TransactionUnsuitable(`${name} cannot run in a transaction of your program. Call it before or after.`);
}

function withIgnored(result: object, ignored: readonly string[]): object {
  return ignored.length === 0 ? result : { ...result, ignored_parameters_unsupported: ignored };
}

function refuseInRead(): never {
  throw new Error('A read operation must not emit events, enqueue side effects or use afterCommit.');
}

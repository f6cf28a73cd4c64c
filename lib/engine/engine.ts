import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { ChatError, TransactionUnsuitable } from '../base/errors.ts';
import { EventEncoder } from '../events/event-encoder.ts';
import { EventHub } from '../events/hub.ts';
import { Worker } from '../jobs/worker.ts';
import type { Registered } from '../operation/feature.ts';
import type { Operation, TransactionEffect } from '../operation/operation.ts';
import type { EventDraft } from '../storage/interface/events.ts';
import type { Reading, Transaction } from '../storage/interface/storage.ts';
import type { OutboxDraft, ServiceOptions, Services, TransactionContext, TransactionHooks } from '../viewer/context.ts';
import { ChannelCache, ChannelChoosers, Muters, PushOwners } from '../viewer/versioned-caches.ts';
import { UserDirectory } from '../views/user-list.ts';
import { type AuditNote, auditCleanup, Refusals } from './audit.ts';
import type { Call, CallServices, Transact } from './call.ts';
import {
  type Admission,
  type AuthorizedCall,
  type CallArguments,
  type Caller,
  Callers,
  measured,
  scanInTurn,
} from './callers.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { expiredIdempotencyKeys, IdempotencyKeys } from './idempotency.ts';
import { perform, preview } from './perform.ts';
import { type Change, transactionContext, withCheckedWrites } from './transaction-context.ts';

/** Runs operations: `perform` is the way of a call, `transact` one of its transactions. */
export class Engine implements CallServices {
  /** Number of expensive requests that a server runs at a time. */
  readonly places: number;
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
  readonly channelChoosers = new ChannelChoosers();
  readonly #callers: Callers;
  readonly #predictable: ReadonlySet<string>;
  readonly #directory = new UserDirectory();
  readonly #rewindListeners: (() => void)[] = [];
  readonly #scans: FairScheduler;
  readonly refused: Registered['refused'];
  readonly confirm: Registered['confirm'];
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
    this.places = options.storage.places ?? 1;
    this.#scans = new FairScheduler({ places: options.storage.scans ?? 1 });
    this.hub = new EventHub(options.storage, options.logger, this.#callers.organizations);
    this.wire = new EventEncoder(registered.events);
    this.initialState = registered.initialState;
    this.consequences = registered.consequences;
    this.refused = registered.refused;
    this.confirm = registered.confirm;
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
    const transact: Transact = (bound, effect, work, options) => this.transact(operation, bound, effect, work, options);
    return perform(this.#prepared(call, { transact, isDryRun: false }));
  }

  /** A call in the transactions of a dry run. @param services for the operation */
  preview(call: CallArguments, transact: Transact, services?: Services): Promise<object> {
    return preview(this.#prepared(call, { transact, isDryRun: true, services }));
  }

  #prepared(
    [operation, caller, values = {}, decode]: CallArguments,
    given: Pick<Call, 'transact' | 'isDryRun' | 'services'>,
  ): Call {
    return { engine: this, operation, caller, values, decode, parameters: {}, ...given };
  }

  /** Whether dry runs list side effects of this kind. */
  readonly isPredictable = (kind: string): boolean => this.#predictable.has(kind);

  /**
   * One transaction of an operation: authorizes the caller, runs the work, commits, wakes listeners. Work that returns an
   * error has counted a failed attempt. The operation throws the error afterwards, so the audit log gets a refusal.
   */
  async transact<T>(
    operation: Admission,
    caller: Caller,
    effect: TransactionEffect,
    work: (context: TransactionContext) => Promise<T>,
    { extent, note }: Reading & { note?: AuditNote | undefined } = {},
  ): Promise<T> {
    if (effect === 'read') {
      const read = (tx: Transaction) =>
        measured(caller, async (begin) => {
          const admitted = await this.#callers.admit(tx, operation, caller, begin);
          // A read transaction sees only committed data, so it may fill caches.
          this.#callers.keep(admitted);
          if (note) note.actorId = admitted.actor?.id;
          return work(transactionContext(this, admitted, caller, this.#readHooks(tx, admitted)));
        });
      const readAll = () => this.options.storage.read(read, extent);
      return extent === 'scan' ? scanInTurn(this.#scans, caller, readAll) : readAll();
    }
    const change = async (tx: Transaction) => {
      const made = await measured(caller, (begin) => this.#change(tx, operation, caller, work, begin));
      const { events, items, context, noted } = made;
      if (note && !note.mayOmit(noted) && !(made.value instanceof ChatError))
        await tx.audit.add([note.done(made.call.actor?.id, made.value, noted)]);
      if (items.length > 0) await tx.outbox.add(items.map((item) => ({ ...item, due_ms: item.due_ms ?? context.now })));
      // Last, since it locks the log until the commit.
      if (events.length > 0) await tx.events.append(events, context.now);
      return made;
    };
    // The host may still roll back: caches stay as they are, and its commit wakes this process like any other.
    if (caller.within) return (await this.#writeWithin(caller.within, change)).value;
    const { value, call, events, items, afterwards } = await this.options.storage.write(change, effect);
    if (note && !(value instanceof ChatError)) note.keep();
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
    effect: Exclude<TransactionEffect, 'read'>,
    work: (context: TransactionContext) => Promise<T>,
    look: (change: Change<T>) => Promise<R>,
  ): Promise<R> {
    const inspect = async (tx: Transaction) =>
      look(await measured(caller, (begin) => this.#change(tx, operation, caller, work, begin)));
    return this.options.storage.dryRun(inspect, effect);
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

  onRewind(listener: () => void): void {
    this.#rewindListeners.push(listener);
  }

  /** Clears caches after the database continues from an older state. Other caches compare versions, which rose. */
  rewind(): void {
    this.logger.warn({}, 'the database continues from an older state (failover or backup); caches were cleared');
    this.#directory.clear();
    for (const listener of this.#rewindListeners) listener();
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

function refuseInRead(): never {
  throw new Error('A read operation must not emit events, enqueue side effects or use afterCommit.');
}

import { Worker } from '../background/worker.ts';
import { ChannelCache } from '../caches/channel-cache.ts';
import { OrganizationCache } from '../caches/organization-cache.ts';
import { UserCache } from '../caches/user-cache.ts';
import { UserDirectory } from '../caches/user-directory.ts';
import { EventHub } from '../delivery/hub.ts';
import { Wire } from '../delivery/wire.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { fold } from '../rules/fold.ts';
import type { EventDraft } from '../storage/interface/event-log.ts';
import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Storage, Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { checkAccount, checkSpectator } from './admission.ts';
import { withCheckedWrites } from './checked-writes.ts';
import type {
  ManualContext,
  OutboxDraft,
  ServiceOptions,
  Services,
  StatePart,
  TransactionContext,
  TransactionHooks,
} from './context.ts';
import type { EventDeclaration } from './define-event.ts';
import type { DueWork } from './due-work.ts';
import { BadRequest, Unauthorized } from './errors.ts';
import type { Effect, Operation } from './operation.ts';
import type { OutboxKind } from './outbox.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';

/** Who calls, as a transport has established it. */
export interface Caller {
  /** null: without credentials. Absent: whoever has the address at the time. */
  userId?: number | null;
  /** By which the caller was found; refused once the account has another. */
  address?: string;
  /** Key generation the caller proved; an older one is refused. Absent: trusted code in this process. */
  keyGeneration?: number;
  client: string;
  signal?: AbortSignal;
}

/** What features registered beside their operations. */
export interface Registered {
  readonly events: readonly EventDeclaration[];
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly dueWork: readonly DueWork[];
  readonly outboxKinds: readonly OutboxKind[];
}

/** A caller let in, as the transaction saw them. */
interface AuthorizedCall {
  actor: User | undefined;
  organization: Organization;
  versions: Versions;
}

/** Runs operations: transaction, caller read afresh, access, parameters, events, side effects. */
export class Engine implements Services {
  /** For work that is not an operation's. */
  readonly storage: Storage;
  readonly #storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hub: EventHub;
  readonly worker: Worker;
  readonly wire: Wire;
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly channelCache = new ChannelCache();
  readonly #users = new UserCache();
  readonly #directory = new UserDirectory();
  readonly #organizations = new OrganizationCache(() => this.options.baseUrl);

  constructor(
    readonly options: ServiceOptions,
    registered: Registered,
  ) {
    this.#storage = options.storage;
    this.storage = withCheckedWrites(options.storage);
    this.clock = options.clock;
    this.logger = options.logger;
    this.hub = new EventHub(options.storage, options.logger, this.#organizations);
    this.wire = new Wire(registered.events);
    this.initialState = registered.initialState;
    this.worker = new Worker(this, registered.dueWork, registered.outboxKinds);
  }

  /**
   * Runs an operation for a caller. Access is checked before parameters are read, parameters before
   * anything else is looked at. With `decode`, values are the text a transport received.
   */
  async call(
    operation: Operation,
    caller: Caller,
    values: Readonly<Record<string, unknown>> = {},
    decode?: DecodeParameter,
  ): Promise<object> {
    const ignored = unknownParameters(operation, values);
    let parameters: Record<string, unknown> | undefined;
    let refusal: unknown;
    try {
      parameters = readParameters(operation, values, decode);
    } catch (error) {
      refusal = error;
    }
    const work = async (context: TransactionContext) => {
      if (parameters === undefined) throw refusal;
      return await operation.run(context as never, parameters);
    };
    let result: object;
    if (operation.effect === 'manual') result = await this.#runManually(operation, caller, parameters, refusal);
    else {
      // A request that will be refused for its parameters never opens a write transaction.
      const effect = parameters === undefined ? 'read' : operation.effect;
      result = await this.transact(operation, caller, effect, work);
    }
    return ignored.length === 0 ? result : { ...result, ignored_parameters_unsupported: ignored };
  }

  /** One transaction of an operation: admits the caller, runs the work, appends its events, commits, wakes listeners. */
  async transact<T>(
    operation: Pick<Operation, 'access' | 'webhook'>,
    caller: Caller,
    effect: Exclude<Effect, 'manual'>,
    work: (context: TransactionContext) => Promise<T>,
  ): Promise<T> {
    if (effect === 'read') {
      return this.#storage.read(async (tx) => {
        const admitted = await this.#admit(tx, operation, caller);
        // Whatever a reader sees has been committed.
        this.#keep(admitted);
        return work(this.#context(tx, admitted, caller, this.#readHooks(tx, admitted)));
      });
    }
    let events = 0;
    let items = 0;
    let admitted: AuthorizedCall | undefined;
    let afterwards: (() => void)[] = [];
    const value = await this.#storage.write(
      async (tx) => {
        const call = await this.#admit(tx, operation, caller);
        admitted = call;
        const drafts: EventDraft[] = [];
        const outbox: OutboxDraft[] = [];
        afterwards = [];
        const context = this.#context(tx, call, caller, {
          account: (id) => tx.users.byId(id),
          accounts: () => new UserDirectory().at(tx, call.versions, call.organization),
          emit: (audience, event, delivery) => {
            this.wire.declarationOf(event);
            drafts.push({ audience, event, ...delivery });
          },
          enqueue: (item) => void outbox.push(item),
          afterCommit: (then) => void afterwards.push(then),
        });
        const value = await work(context);
        if (drafts.length > 0) await tx.events.append(drafts, context.now);
        if (outbox.length > 0)
          await tx.outbox.add(outbox.map((item) => ({ ...item, due_ms: item.due_ms ?? context.now })));
        events = drafts.length;
        items = outbox.length;
        return value;
      },
      { shared: effect !== 'write', brief: effect === 'append' },
    );
    if (admitted) this.#keep(admitted);
    for (const then of afterwards) then();
    if (events > 0) this.hub.wake();
    if (items > 0) this.worker.rearm();
    return value;
  }

  /** A change made by the software itself: no caller, no access check. */
  async maintain<T>(work: (context: TransactionContext<'anyone'>) => Promise<T>): Promise<T> {
    return this.transact({ access: 'anyone' }, { userId: null, client: 'Parlance' }, 'write', (context) =>
      work(context as TransactionContext<'anyone'>),
    );
  }

  async #runManually(
    operation: Operation,
    caller: Caller,
    parameters: Record<string, unknown> | undefined,
    refusal: unknown,
  ): Promise<object> {
    const admitted = await this.storage.read((tx) => this.#admit(tx, operation, caller));
    this.#keep(admitted);
    const { actor, organization } = admitted;
    // Whoever began it goes on with it, also when their address passes to somebody else.
    const bound = actor ? { ...caller, userId: actor.id } : caller;
    if (parameters === undefined) throw refusal;
    const context: ManualContext = {
      actor: actor as User,
      organization,
      now: this.clock.now(),
      client: caller.client,
      services: this,
      signal: caller.signal,
      transact: (effect, work) => this.transact(operation, bound, effect, work),
    };
    return operation.run(context as never, parameters);
  }

  #context(
    tx: Transaction,
    { actor, organization, versions }: AuthorizedCall,
    { client }: Caller,
    hooks: TransactionHooks,
  ): TransactionContext {
    return {
      tx,
      actor: actor as User,
      organization,
      now: this.clock.now(),
      client,
      services: this,
      channelsVersion: versions.channels_version,
      usersVersion: versions.users_version,
      ...hooks,
    };
  }

  #readHooks(tx: Transaction, { organization, versions }: AuthorizedCall): TransactionHooks {
    return {
      account: async (id) => {
        const user = await this.#users.byId(tx, id, versions.users_version);
        if (user) this.#users.keep(user, versions.users_version);
        return user;
      },
      accounts: () => this.#directory.at(tx, versions, organization),
      emit: refuseInRead,
      enqueue: refuseInRead,
      afterCommit: refuseInRead,
    };
  }

  async #admit(
    tx: Transaction,
    operation: Pick<Operation, 'access' | 'webhook'>,
    caller: Caller,
  ): Promise<AuthorizedCall> {
    const versions = await tx.organization.versions();
    if (!versions) throw new BadRequest('This database holds no organization yet; create one first.');
    const organization = await this.#organizations.of(tx, versions);
    if (caller.userId === null || operation.access === 'anyone') {
      if (operation.access !== 'anyone') checkSpectator(operation.access, organization, this.options.webPublicChannels);
      return { actor: undefined, organization, versions };
    }
    const user = await this.#accountOf(tx, caller, versions.users_version);
    if (caller.keyGeneration !== undefined && caller.keyGeneration !== user.key_generation) {
      throw new Unauthorized('This API key is no longer valid; fetch a new one.');
    }
    checkAccount(operation, user);
    return { actor: user, organization, versions };
  }

  /** The account of a caller, as long as the address leads to it by which it was found. */
  async #accountOf(tx: Transaction, { userId, address }: Caller, usersVersion: number): Promise<User> {
    const user =
      typeof userId === 'number'
        ? await this.#users.byId(tx, userId, usersVersion)
        : await this.#users.byAddress(tx, address ?? '', usersVersion);
    if (!user || (address !== undefined && fold(address) !== fold(user.delivery_email))) {
      throw new Unauthorized(
        address === undefined ? 'This account does not exist.' : `There is no account with the address ${address}.`,
      );
    }
    return user;
  }

  /** What a write transaction has read may be rolled back, so it is kept only after the commit. */
  #keep({ actor, organization, versions }: AuthorizedCall): void {
    if (actor) this.#users.keep(actor, versions.users_version);
    this.#organizations.keep(organization);
  }
}

function refuseInRead(): never {
  throw new Error('An operation that reads changes nothing: no events, no side effects, nothing to do after it.');
}

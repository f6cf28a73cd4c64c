import { Worker } from '../background/worker.ts';
import { ChannelCache } from '../caches/channel-cache.ts';
import { UserCache } from '../caches/user-cache.ts';
import { UserDirectory } from '../caches/user-directory.ts';
import { EventHub } from '../delivery/hub.ts';
import { Wire } from '../delivery/wire.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { EventDraft } from '../storage/interface/event-log.ts';
import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Storage, Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { withCheckedWrites } from './checked-writes.ts';
import type {
  Access,
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
import { BadRequest, Unauthorized, UnauthorizedPrincipal } from './errors.ts';
import type { Effect, Operation } from './operation.ts';
import type { OutboxKind } from './outbox.ts';
import { type DecodeParameter, readParameters, unknownParameters } from './parameters.ts';

/** Who calls, as a transport has established it. */
export interface Caller {
  /** null: without credentials. */
  userId: number | null;
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
  readonly directory = new UserDirectory();
  readonly wire: Wire;
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly channelCache = new ChannelCache();
  readonly #users = new UserCache();
  #organization: Organization | undefined;

  constructor(
    readonly options: ServiceOptions,
    registered: Registered,
  ) {
    this.#storage = options.storage;
    this.storage = withCheckedWrites(options.storage);
    this.clock = options.clock;
    this.logger = options.logger;
    this.hub = new EventHub(options.storage, options.logger);
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
        const admitted = await this.#admit(tx, operation, caller, true);
        const account = (id: number) => this.#users.read(tx, id, admitted.versions.users_version);
        const hooks = { account, emit: refuseInRead, enqueue: refuseInRead, afterCommit: refuseInRead };
        return work(this.#context(tx, admitted, caller, hooks));
      });
    }
    let events = 0;
    let items = 0;
    let admitted: AuthorizedCall | undefined;
    let afterwards: (() => void)[] = [];
    const value = await this.#storage.write(
      async (tx) => {
        admitted = await this.#admit(tx, operation, caller, false);
        const drafts: EventDraft[] = [];
        const outbox: OutboxDraft[] = [];
        afterwards = [];
        const context = this.#context(tx, admitted, caller, {
          account: (id) => tx.users.byId(id),
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
      { shared: effect === 'append' },
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
    const { actor, organization } = await this.storage.read((tx) => this.#admit(tx, operation, caller, true));
    if (parameters === undefined) throw refusal;
    const context: ManualContext = {
      actor: actor as User,
      organization,
      now: this.clock.now(),
      client: caller.client,
      services: this,
      signal: caller.signal,
      transact: (effect, work) => this.transact(operation, caller, effect, work),
    };
    return operation.run(context as never, parameters);
  }

  #context(
    tx: Transaction,
    { actor, organization, versions }: AuthorizedCall,
    { client }: Caller,
    { account, emit, enqueue, afterCommit }: TransactionHooks,
  ): TransactionContext {
    return {
      tx,
      actor: actor as User,
      organization,
      now: this.clock.now(),
      client,
      services: this,
      channelsVersion: versions.channels_version,
      account,
      emit,
      enqueue,
      afterCommit,
    };
  }

  async #admit(
    tx: Transaction,
    operation: Pick<Operation, 'access' | 'webhook'>,
    caller: Caller,
    readsOnly: boolean,
  ): Promise<AuthorizedCall> {
    const versions = await tx.organization.versions();
    if (!versions) throw new BadRequest('This database holds no organization yet; create one first.');
    const { users_version } = versions;
    const cached = this.#organization;
    const organization = cached?.version === versions.version ? cached : await readOrganization(tx);
    if (readsOnly) this.#organization = organization;
    if (caller.userId === null || operation.access === 'anyone') {
      if (operation.access !== 'anyone') admitSpectator(operation.access, organization, this.options.webPublicChannels);
      return { actor: undefined, organization, versions };
    }
    const { userId } = caller;
    const user = readsOnly
      ? await this.#users.read(tx, userId, users_version)
      : (this.#users.get(userId, users_version) ?? (await tx.users.byId(userId)));
    if (!user) throw new Unauthorized('This account does not exist.');
    if (caller.keyGeneration !== undefined && caller.keyGeneration !== user.key_generation) {
      throw new Unauthorized('This API key is no longer valid; fetch a new one.');
    }
    if (!user.is_active) throw new Unauthorized('This account has been deactivated.');
    if (user.bot_type === INCOMING_WEBHOOK && !operation.webhook) {
      throw new Unauthorized('An incoming-webhook bot may only send messages.');
    }
    admitRole(operation.access, user);
    return { actor: user, organization, versions };
  }

  /** What a write transaction has read may be rolled back, so it is kept only after the commit. */
  #keep({ actor, organization, versions }: AuthorizedCall): void {
    if (actor) this.#users.keep(actor, versions.users_version);
    if (organization.version > (this.#organization?.version ?? -1)) this.#organization = organization;
  }
}

async function readOrganization(tx: Transaction): Promise<Organization> {
  return (await tx.organization.get()) as Organization;
}

const INCOMING_WEBHOOK = 2;

function refuseInRead(): never {
  throw new Error('An operation that reads changes nothing: no events, no side effects, nothing to do after it.');
}

function admitSpectator(access: Access, organization: Organization, webPublicChannels: boolean): void {
  if (access === 'spectator' && webPublicChannels && organization.settings.enable_spectator_access === true) return;
  throw new Unauthorized('Give the e-mail address and API key of an account by HTTP Basic authentication.');
}

function admitRole(access: Access, user: User): void {
  const isBot = user.bot_type !== null;
  if ((access === 'member' || access === 'human member') && user.role === 600) {
    throw new BadRequest('Guests cannot do this.');
  }
  if ((access === 'human' || access === 'human member') && isBot) throw new BadRequest('Bots cannot do this.');
  if (access === 'administrator' && user.role > 200) throw new UnauthorizedPrincipal('an organization administrator');
  if (access === 'owner' && user.role > 100) throw new UnauthorizedPrincipal('an organization owner');
}

import { deriveApiKey } from '../access/api-keys.ts';
import type { Explanation } from '../access/explanation.ts';
import type { Caller } from '../kernel/callers.ts';
import { catalogue, operationNamed, registered } from '../kernel/catalogue.ts';
import type { ServiceOptions } from '../kernel/context.ts';
import { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { unwrapRawJson } from '../kernel/raw-json.ts';
import { type EventType, type OperationName, type ParametersOf, type Session, sessionOver } from '../kernel/session.ts';
import { reachableAddresses } from '../rules/public-addresses.ts';
import type { AuditEntry } from '../storage/interface/audit.ts';
import type { OutboxItem } from '../storage/interface/outbox.ts';
import { callerOf, noAccount } from './accounts.ts';
import { type AuditLogOptions, permissionGiven, readAuditLog } from './audit-log.ts';
import { type ChatOptions, withDefaults } from './chat-options.ts';
import { createOrganization, type NewOrganization } from './create-organization.ts';
import { dryRun } from './dry-run.ts';
import type { EventListener, EventSubscription, SubscriptionOptions } from './event-subscription.ts';
import type { ObservedEvent } from './observed-events.ts';
import { type CursorState, type EventsOptions, Observers } from './observers.ts';
import { downloadUpload } from './open-upload.ts';
import { EngineTransport, TRANSPORT, type UserReference } from './transport.ts';
import { why } from './why.ts';

/** How somebody without an account calls. */
export interface AnonymousOptions {
  /** Name recorded as that of the client. Default `Parlance`. */
  client?: string;
  /** Taken on trust. */
  confirmedEmail?: string;
}

/**
 * A chat: one organization on one storage.
 * @example
 * const chat = await openChat({ storage: sqlite('chat.db') });
 * const ada = await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
 * await chat.as(ada).channels.create({ name: 'general', subscribers: [ada.user_id] });
 * await chat.close();
 */
export interface Chat {
  /** The session of an account, trusted without credentials: for code that has its own login. */
  as(user: UserReference, options?: { client?: string }): Session;
  /**
   * A session without credentials, for what anybody may do.
   * @param options.confirmedEmail an address that belongs to whoever calls, as your code has made sure: with it they
   * join by a link for many, where others first confirm theirs by e-mail
   */
  anonymous(options?: AnonymousOptions): Session;
  /**
   * Whether somebody may do something, and which rules decide it, in the order in which they are asked; for code that
   * may know everything. The operation is run and rolled back.
   * @example const { allowed, refusal, steps } = await chat.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(user: UserReference, operation: N, ...parameters: ParametersOf<N>): Promise<Explanation>;
  /** Creates the organization and its first owner in an empty database; refuses otherwise. */
  createOrganization(organization: NewOrganization): Promise<{ user_id: number; email: string; api_key: string }>;
  /** Whether this database holds an organization already. */
  hasOrganization(): Promise<boolean>;
  /** The API key of an account. */
  apiKeyOf(user: UserReference): Promise<string>;
  /**
   * Gives an account a right that nobody can give through the API, or takes it away. `can_change_user_emails`:
   * as long as they are an owner, they may give others another address.
   */
  setSpecialPermission(
    user: UserReference,
    permission: SpecialPermission,
    isGranted: boolean,
  ): Promise<{ user_id: number; full_name: string }>;
  /**
   * Calls `listener` with everything that happens in the organization, after it has been committed, one by one and in
   * order. Resolves once it listens. What it throws is logged, and it is told of the same event again, later and later.
   * @example
   * await chat.on('event', ({ event }) => index(event), { cursor: 'search', event_types: ['message'] });
   */
  on<const T extends EventType = EventType>(
    what: 'event',
    listener: EventListener<T>,
    options?: SubscriptionOptions<T>,
  ): Promise<EventSubscription>;
  /**
   * The same as an iteration, from now on or behind a place that you have kept.
   * @throws EventGap where events behind `after` have been removed: the log keeps them for ten minutes at least
   * @example for await (const { position, event } of chat.events({ after })) await keep(position, event);
   */
  events<const T extends EventType = EventType>(options?: EventsOptions<T>): AsyncIterableIterator<ObservedEvent<T>>;
  /** The cursors of `on`, by name. */
  eventCursors(): Promise<CursorState[]>;
  /** Forgets a cursor, for which the log would be kept; false when there is none. */
  removeEventCursor(name: string): Promise<boolean>;
  /**
   * Sets a cursor to the end of the log; false when there is none. Whoever reads for it goes on there within 20
   * seconds, and is never told what is passed over, with `onGap` neither.
   */
  moveEventCursorToNow(name: string): Promise<boolean>;
  /** Starts the background worker and notices other processes; the server does this for you. */
  start(): void;
  /** Does everything due at this moment of the clock; returns how many things it did. */
  runDue(): Promise<number>;
  /** Side effects that were given up in the last thirty days, newest first, with the reason; 100 at most unless told otherwise. */
  givenUp(limit?: number): Promise<OutboxItem[]>;
  /**
   * What was done by administrators and owners, sign-ins, and what was refused of both: the newest `limit` (default
   * 100, at most 10000) of those that fit, oldest first. For code that may know everything.
   * @example await chat.auditLog({ since: Date.now() - 86_400_000, action: 'users.edit' });
   */
  auditLog(options?: AuditLogOptions): Promise<AuditEntry[]>;
  /** Lets polls go, finishes what is under way and closes the storage. */
  close(): Promise<void>;
  /** For `transportOf` alone, whose types a program that embeds a chat has no use for. */
  readonly [TRANSPORT]: unknown;
}

/**
 * Opens a chat on a storage; a database of an older version is brought up to date first.
 * @throws TypeError where `baseUrl` is no address of a site
 * @throws RangeError where `outgoingWebhooks.allowPrivateAddresses` names what is no network
 * @throws StorageError where the database cannot be used
 */
export async function openChat(options: ChatOptions): Promise<Chat> {
  const { migrate = true, onMigration, outgoingWebhooks } = options;
  // What is wrong with the options is said at once, not with the first call.
  reachableAddresses(outgoingWebhooks?.allowPrivateAddresses ?? false);
  const complete = withDefaults(options);
  await options.storage.open({ migrate, ...(onMigration ? { onMigration } : {}) });
  return new OpenChat(options, complete);
}

/** What whoever runs the software may grant beyond roles and groups. */
export type SpecialPermission = 'can_change_user_emails';

const CLIENT = 'Parlance';

class OpenChat implements Chat {
  readonly #engine: Engine;
  readonly #observers: Observers;
  readonly [TRANSPORT]: EngineTransport;
  #closing: Promise<void> | undefined;
  readonly #isClosing = () => this.#closing !== undefined;

  constructor(options: ChatOptions, complete: ServiceOptions) {
    this.#engine = new Engine(complete, registered);
    this.#observers = new Observers(this.#engine);
    this[TRANSPORT] = new EngineTransport(this.#engine, { hasBaseUrl: options.baseUrl !== undefined });
    options.storage.onForeignCommit(({ changes, dueWork }) => {
      if (changes) this.#engine.hub.wake();
      if (dueWork) this.#engine.worker.rearm();
    });
  }

  as(user: UserReference, options: { client?: string } = {}): Session {
    return this.#session({ ...callerOf(user), client: options.client ?? CLIENT });
  }

  anonymous({ client = CLIENT, confirmedEmail }: AnonymousOptions = {}): Session {
    return this.#session({ userId: null, client, ...(confirmedEmail === undefined ? {} : { confirmedEmail }) });
  }

  why<N extends OperationName>(
    user: UserReference,
    operation: N,
    ...[parameters]: ParametersOf<N>
  ): Promise<Explanation> {
    const { userId, address = '' } = callerOf(user);
    return why(
      this.#engine,
      operationNamed(operation),
      undefined,
      userId ?? address,
      parameters as Record<string, unknown>,
    );
  }

  #session(caller: Caller): Session {
    const engine = this.#engine;
    return sessionOver<Operation>({
      operations: catalogue as readonly Operation[],
      invoke: async (operation, parameters, signal) =>
        unwrapRawJson(await engine.call(operation, signal ? { ...caller, signal } : caller, parameters)),
      dryRun: (operation, parameters) => dryRun(engine, operation, caller, parameters),
      why: (user, operation, parameters) => why(engine, operation, caller, user, parameters),
      download: (pathId, options) => downloadUpload(engine, caller, pathId, options),
      isClosed: this.#isClosing,
    });
  }

  createOrganization(organization: NewOrganization) {
    return createOrganization(this.#engine, organization);
  }

  hasOrganization(): Promise<boolean> {
    return this.#engine.storage.read(async (tx) => (await tx.organization.get()) !== undefined);
  }

  async apiKeyOf(user: UserReference): Promise<string> {
    const { userId, address } = callerOf(user);
    return this.#engine.storage.read(async (tx) => {
      const account = await (userId === undefined ? tx.users.byEmail(address ?? '') : tx.users.byId(userId));
      const organization = await tx.organization.get();
      if (!account || !organization) {
        throw noAccount(user);
      }
      return deriveApiKey(organization.secret, account.id, account.key_generation);
    });
  }

  async setSpecialPermission(user: UserReference, permission: SpecialPermission, isGranted: boolean) {
    const { userId, address } = callerOf(user);
    return this.#engine.maintain(async ({ tx, now }) => {
      const account = await (userId === undefined ? tx.users.byEmail(address ?? '') : tx.users.byId(userId));
      if (!account || account.is_system_bot) throw noAccount(user);
      const { id, full_name } = await tx.users.update(account.id, { [permission]: isGranted });
      await tx.audit.add([permissionGiven(id, permission, isGranted, now)]);
      return { user_id: id, full_name };
    });
  }

  on<T extends EventType>(
    what: 'event',
    listener: EventListener<T>,
    options: SubscriptionOptions<T> = {},
  ): Promise<EventSubscription> {
    if (what !== 'event') return Promise.reject(new BadRequest('A chat tells of "event" alone.'));
    return this.#observers.on(listener, options);
  }

  events<T extends EventType>(options: EventsOptions<T> = {}): AsyncIterableIterator<ObservedEvent<T>> {
    return this.#observers.events(options);
  }

  eventCursors(): Promise<CursorState[]> {
    return this.#observers.cursors();
  }

  removeEventCursor(name: string): Promise<boolean> {
    return this.#observers.removeCursor(name);
  }

  moveEventCursorToNow(name: string): Promise<boolean> {
    return this.#observers.moveCursorToNow(name);
  }

  start(): void {
    this.#engine.worker.start();
  }

  runDue(): Promise<number> {
    return this.#engine.worker.runDue();
  }

  givenUp(limit = 100): Promise<OutboxItem[]> {
    return this.#engine.storage.read((tx) => tx.outbox.givenUp(limit));
  }

  auditLog(options: AuditLogOptions = {}): Promise<AuditEntry[]> {
    return readAuditLog(this.#engine, options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#observers.close();
    this.#engine.hub.close();
    // Listeners that end now delete the queues they have made.
    await new Promise(setImmediate);
    await this.#engine.worker.stop();
    await this.#engine.refusals.flush();
    await this.#engine.options.mail?.close();
    await this.#engine.options.pushRelay?.close();
    await this.#engine.storage.close();
  }
}

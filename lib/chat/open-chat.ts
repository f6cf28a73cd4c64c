import { deriveApiKey } from '../access/api-keys.ts';
import type { ServiceOptions } from '../access/context.ts';
import type { Explanation } from '../access/explanation.ts';
import { BadRequest } from '../base/errors.ts';
import { unwrapRawJson } from '../base/raw-json.ts';
import { catalogue, operationNamed, registered } from '../catalogue.ts';
import type { Caller } from '../engine/callers.ts';
import { Engine } from '../engine/engine.ts';
import type { Organization } from '../model/organization.ts';
import type { Operation } from '../operation/operation.ts';
import { reachableAddresses } from '../rules/public-addresses.ts';
import type { AuditEntry, NewAuditEntry } from '../storage/interface/audit.ts';
import type { OutboxItem } from '../storage/interface/outbox.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { accessAccount, idOrAddress, noAccount, type UserReference } from './accounts.ts';
import { type AuditLogOptions, readAuditLog } from './audit-log.ts';
import type { AnonymousOptions, Chat, SpecialPermission, StartOptions } from './chat.ts';
import { type ChatOptions, withDefaults } from './chat-options.ts';
import { createOrganization, type NewOrganization } from './create-organization.ts';
import { dryRun, why } from './dry-run.ts';
import type { EventListener, EventSubscription, SubscriptionOptions } from './event-subscription.ts';
import type { ObservedEvent } from './observed-events.ts';
import { type CursorState, type EventsOptions, Observers } from './observers.ts';
import { downloadUpload } from './open-upload.ts';
import { type EventType, type OperationName, type ParametersOf, type Session, sessionOver } from './session.ts';
import { ChatTransport, TRANSPORT } from './transport.ts';

const CLIENT = 'Parlance';
/** The longest delay that Node timers accept. */
const LONG_MS = 2 ** 31 - 1;

/**
 * Opens a chat on a database. Migrates an older database first, unless you set `migrate`.
 * @throws TypeError if `baseUrl` is not a valid site address
 * @throws RangeError if `outgoingWebhooks.allowPrivateAddresses` contains an invalid network
 * @throws StorageError if the database cannot be used; `reason` says why
 * @example
 * const chat = await openChat({ storage: sqlite('chat.db'), files: localFiles('chat.db-uploads') });
 */
export async function openChat(options: ChatOptions): Promise<Chat> {
  const { migrate = true, onMigration, outgoingWebhooks } = options;
  // Report invalid options here, not in the first call that uses them.
  reachableAddresses(outgoingWebhooks?.allowPrivateAddresses ?? false);
  const complete = withDefaults(options);
  await options.storage.open({ migrate, ...(onMigration ? { onMigration } : {}) });
  return new OpenChat(options, complete);
}

class OpenChat implements Chat {
  readonly #engine: Engine;
  readonly #observers: Observers;
  readonly [TRANSPORT]: ChatTransport;
  #closing: Promise<void> | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  readonly #isClosing = () => this.#closing !== undefined;

  constructor(options: ChatOptions, complete: ServiceOptions) {
    this.#engine = new Engine(complete, registered);
    this.#observers = new Observers(this.#engine);
    this[TRANSPORT] = new ChatTransport(this.#engine, { hasBaseUrl: options.baseUrl !== undefined });
    options.storage.onForeignCommit(({ changes, dueWork, isRewound, warning }) => {
      if (warning !== undefined) this.#engine.logger.warn({}, warning);
      if (isRewound) this.#engine.rewind();
      if (changes) this.#engine.hub.wake();
      if (dueWork) this.#engine.worker.rearm();
    });
  }

  /** Every call looks the address up again, in its own transaction: the address may move to another account. */
  as(user: UserReference, { client = CLIENT }: { client?: string } = {}): Session {
    const account = idOrAddress(user);
    return this.#session({ ...(typeof account === 'number' ? { userId: account } : { address: account }), client });
  }

  anonymous({ client = CLIENT, confirmedEmail }: AnonymousOptions = {}): Session {
    return this.#session({ userId: null, client, ...(confirmedEmail === undefined ? {} : { confirmedEmail }) });
  }

  why<N extends OperationName>(
    user: UserReference,
    operation: N,
    ...[parameters]: ParametersOf<N>
  ): Promise<Explanation> {
    const values = parameters as Record<string, unknown>;
    return why(this.#engine, operationNamed(operation), undefined, idOrAddress(user), values);
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

  apiKeyOf(user: UserReference): Promise<string> {
    return this.#engine.storage.read(async (tx) => {
      const { id, key_generation } = await accessAccount(tx, user);
      const { secret } = (await tx.organization.get()) as Organization;
      return deriveApiKey(secret, id, key_generation);
    });
  }

  setSpecialPermission(user: UserReference, permission: SpecialPermission, isGranted: boolean) {
    return this.#engine.asSystem('write', async ({ tx, now }) => {
      const account = await accessAccount(tx, user);
      if (account.is_system_bot) throw noAccount(user);
      const { id, full_name } = await tx.users.update(account.id, { [permission]: isGranted });
      const entry: NewAuditEntry = {
        at_ms: now,
        action: 'chat.setSpecialPermission',
        // The operator of the server did it.
        user_id: null,
        status: 200,
        code: null,
        details: { user_id: id, [permission]: isGranted },
        client: CLIENT,
        network: null,
        request: null,
        times: 1,
      };
      await tx.audit.add([entry]);
      return { user_id: id, full_name };
    });
  }

  on<T extends EventType>(
    what: 'event',
    listener: EventListener<T>,
    options: SubscriptionOptions<T> = {},
  ): Promise<EventSubscription> {
    if (what !== 'event') return Promise.reject(new BadRequest('The first argument of chat.on must be "event".'));
    return this.#observers.on(listener, options);
  }

  events<T extends EventType>(options: EventsOptions<T> = {}): AsyncIterableIterator<ObservedEvent<T>> {
    return this.#observers.events(options);
  }

  eventCursors(): Promise<CursorState[]> {
    return this.#engine.storage.read(async (tx) => {
      const tail = await tx.events.tail();
      const now = this.#engine.clock.now();
      return (await tx.eventCursors.all()).map(({ name, position, holder, lease_until_ms }) => ({
        name,
        position,
        behind: tail - position,
        isHeld: holder !== null && lease_until_ms > now,
      }));
    });
  }

  removeEventCursor(name: string): Promise<boolean> {
    return this.#engine.storage.write((tx) => tx.eventCursors.remove(name), { shared: true, silent: true });
  }

  async moveEventCursorToNow(name: string): Promise<boolean> {
    const move = async (tx: Transaction) => tx.eventCursors.advance(name, await tx.events.tail());
    // Not a silent write: the process that reads for the cursor must claim it again and continue there.
    const isThere = await this.#engine.storage.write(move, { shared: true });
    this.#engine.hub.wake();
    return isThere;
  }

  start({ keepAlive = false }: StartOptions = {}): void {
    if (keepAlive && !this.#isClosing()) this.#keepAlive ??= setInterval(() => undefined, LONG_MS);
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
    const { worker, refusals, options, storage, hub } = this.#engine;
    const { mail, pushRelay } = options;
    const steps: (() => unknown)[] = [
      () => this.#observers.close(),
      () => hub.close(),
      // Listeners that end now still delete their event queues.
      () => new Promise(setImmediate),
      () => worker.stop(),
      () => refusals.flush(),
      () => mail?.close(),
      () => pushRelay?.close(),
      () => storage.close(),
    ];
    const failures: unknown[] = [];
    // One failure must not leave the other resources open.
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    clearInterval(this.#keepAlive);
    if (failures.length > 1) throw new AggregateError(failures, 'Closing the chat caused several errors.');
    if (failures.length === 1) throw failures[0];
  }
}

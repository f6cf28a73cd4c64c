import { BadRequest, TransactionUnsuitable } from '../base/errors.ts';
import { unwrapRawJson } from '../base/raw-json.ts';
import { catalogue, operationNamed, registered } from '../catalogue.ts';
import { auditEntry } from '../engine/audit.ts';
import { type Caller, SYSTEM_CLIENT } from '../engine/callers.ts';
import { Engine } from '../engine/engine.ts';
import { unknownParameters } from '../engine/parameters.ts';
import type { Organization } from '../model/organization.ts';
import type { Operation } from '../operation/operation.ts';
import { deriveApiKey } from '../rules/credentials.ts';
import { reachableAddresses } from '../rules/public-addresses.ts';
import { accessAccount, noAccount, plainReference } from './accounts.ts';
import { type CallOptions, cancellable } from './call-options.ts';
import type { Chat, LocalSession } from './chat.ts';
import { type ChatOptions, withDefaults } from './chat-options.ts';
import { createOrganization, ensureOrganization } from './create-organization.ts';
import { deliver } from './deliver.ts';
import { dryRun, why } from './dry-run.ts';
import { Observers } from './observers.ts';
import { downloadUpload } from './open-upload.ts';
import { type Session, sessionOver } from './session.ts';
import { sync } from './sync/sync.ts';
import { TRANSPORT, transportOver } from './transport.ts';

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
  return openChatWith(options, { ownsSenders: true });
}

/**
 * @param how.ownsSenders whether closing the chat closes `mail` and `pushRelay`, which other chats may use too
 * @param how.onMoved called, perhaps repeatedly, if the organization has moved to another database
 */
export async function openChatWith(
  options: ChatOptions,
  { ownsSenders, onMoved }: { ownsSenders: boolean; onMoved?: () => void },
): Promise<Chat> {
  const { migrate = true, onMigration, outgoingWebhooks } = options;
  // Report invalid options here, not in the first call that uses them.
  reachableAddresses(outgoingWebhooks?.allowPrivateAddresses ?? false);
  const complete = withDefaults(options);
  await options.storage.open({ migrate, ...(onMigration ? { onMigration } : {}) });
  const engine = new Engine(complete, registered);
  options.storage.onForeignCommit(
    ({ changes, dueWork, isRewound, isMoved, warning }) => {
      if (warning !== undefined) engine.logger.warn({}, warning);
      if (isRewound) engine.rewind();
      if (isMoved) onMoved?.();
      if (changes) engine.hub.wake();
      if (dueWork) engine.worker.rearm();
    },
    () => engine.hub.isAwaited,
  );
  return chatOver(engine, { hasBaseUrl: options.baseUrl !== undefined, ownsSenders });
}

/** In production, a program of another version may still know a parameter. */
function checkParameterNames(operation: Operation, parameters: Record<string, unknown>): void {
  if (process.env.NODE_ENV !== 'development') return;
  const [unknown] = unknownParameters(operation, parameters);
  if (unknown === undefined) return;
  const names = Object.keys(operation.params).join(', ') || 'none';
  throw new TypeError(`${operation.name} has no parameter "${unknown}". It has: ${names}.`);
}

function chatOver(engine: Engine, { hasBaseUrl, ownsSenders }: { hasBaseUrl: boolean; ownsSenders: boolean }): Chat {
  const { storage, worker, hub } = engine;
  const observers = new Observers(engine);
  let keepingAlive: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const isClosed = () => closing !== undefined;

  const sessionOf = (caller: Caller): Session =>
    sessionOver<Operation>({
      operations: catalogue as readonly Operation[],
      invoke: async (operation, parameters, { signal }) => {
        checkParameterNames(operation, parameters);
        const answer = await engine.call(operation, signal ? { ...caller, signal } : caller, parameters);
        if (operation.longPoll) signal?.throwIfAborted();
        return unwrapRawJson(answer);
      },
      dryRun: async (operation, parameters) => {
        checkParameterNames(operation, parameters);
        return dryRun(engine, operation, caller, parameters);
      },
      why: (user, operation, parameters) =>
        why(engine, operation, {
          asker: caller.isSystem ? undefined : caller,
          about: user,
          values: parameters,
        }),
      download: (pathId, options) => downloadUpload(engine, caller, pathId, options),
      isClosed,
    });

  const localSessionOf = (caller: Caller): LocalSession =>
    Object.assign(sessionOf(caller), {
      within: (connection: object) => {
        // Without this check, a missing connection would commit the call at once.
        if (typeof connection !== 'object' || connection === null)
          throw new TransactionUnsuitable('Pass the connection on which the transaction is open to within.');
        return sessionOf({ ...caller, within: connection });
      },
    });

  async function close(): Promise<void> {
    const { refusals, options } = engine;
    const steps: (() => unknown)[] = [
      () => observers.close(),
      () => hub.close(),
      // Listeners that end now still delete their event queues.
      () => new Promise(setImmediate),
      () => worker.stop(),
      () => refusals.flush(),
      ...(ownsSenders ? [() => options.mail?.close(), () => options.pushRelay?.close()] : []),
      () => options.storage.close(),
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
    clearInterval(keepingAlive);
    if (failures.length > 1) throw new AggregateError(failures, 'Closing the chat caused several errors.');
    if (failures.length === 1) throw failures[0];
  }

  /** Every call looks the address up again, in its own transaction: the address may move to another account. */
  const as: Chat['as'] = (user, { client = CLIENT } = {}) => {
    const account = plainReference(user);
    if (typeof account === 'object') return localSessionOf({ externalId: account.external_id, client });
    return localSessionOf({ ...(typeof account === 'number' ? { userId: account } : { address: account }), client });
  };

  const system = () => localSessionOf({ isSystem: true, client: SYSTEM_CLIENT });

  return {
    [TRANSPORT]: transportOver(engine, { hasBaseUrl }),

    as,

    system,

    anonymous: ({ client = CLIENT, confirmedEmail } = {}) =>
      sessionOf({ userId: null, client, ...(confirmedEmail === undefined ? {} : { confirmedEmail }) }),

    why: (user, operation, ...[parameters, options]) =>
      cancellable((options as CallOptions | undefined)?.signal, async () => {
        const account = plainReference(user);
        const about =
          typeof account === 'object' ? (await storage.read((tx) => accessAccount(tx, account))).id : account;
        return why(engine, operationNamed(operation), { about, values: parameters as Record<string, unknown> });
      }),

    createOrganization: (organization) => createOrganization(engine, organization),

    ensureOrganization: (organization) => ensureOrganization(engine, organization),

    hasOrganization: () => storage.read(async (tx) => (await tx.organization.get()) !== undefined),

    idOf: (kind, externalId) =>
      storage.read(async ({ users, channels, groups }) => {
        const find = {
          user: () => users.byExternalIds([externalId]),
          channel: () => channels.byExternalIds([externalId]),
          group: () => groups.headsByExternalIds([externalId]),
        };
        return (await find[kind]())[0]?.id;
      }),

    apiKeyOf: (user) =>
      storage.read(async (tx) => {
        const { id, key_generation } = await accessAccount(tx, user);
        const { secret } = (await tx.organization.get()) as Organization;
        return deriveApiKey(secret, id, key_generation);
      }),

    tokens: {
      create: ({ user, ttlSeconds, scopes, rooms }) =>
        as(user).tokens.create({
          ...(ttlSeconds === undefined ? {} : { ttl_seconds: ttlSeconds }),
          ...(scopes === undefined ? {} : { scopes }),
          ...(rooms === undefined ? {} : { rooms }),
        }),
      revoke: async ({ user, id }) => {
        await as(user).tokens.revoke(id === undefined ? {} : { token_id: id });
      },
    },

    rooms: {
      ensure: (...call) => system().rooms.ensure(...call),
      close: (...call) => system().rooms.close(...call),
    },

    deliver: (row) => deliver((user) => (user === undefined || user === null ? system() : as(user)), row),

    sync: (lists, options = {}) => sync(engine, lists, options),

    setSpecialPermission: (user, permission, isGranted) =>
      engine.asSystem('write', async ({ tx, now }) => {
        const account = await accessAccount(tx, user);
        if (account.is_system_bot) throw noAccount(user);
        const { id, full_name } = await tx.users.update(account.id, { [permission]: isGranted });
        const details = { user_id: id, [permission]: isGranted };
        await tx.audit.add([auditEntry(now, 'chat.setSpecialPermission', { details })]);
        return { user_id: id, full_name };
      }),

    on: (async (what: string, listener: never, options = {}) => {
      if (what === 'event') return observers.on(listener, options);
      if (what === 'notification') return observers.onNotification(listener, options);
      throw new BadRequest('The first argument of chat.on must be "event" or "notification".');
    }) as Chat['on'],

    events: (options = {}) => observers.events(options),

    eventCursors: () =>
      storage.read(async (tx) => {
        const tail = await tx.events.tail();
        const now = engine.clock.now();
        return (await tx.eventCursors.all()).map(({ name, position, holder, lease_until_ms }) => ({
          name,
          position,
          behind: tail - position,
          isHeld: holder !== null && lease_until_ms > now,
        }));
      }),

    removeEventCursor: (name) => storage.write((tx) => tx.eventCursors.remove(name), { shared: true, silent: true }),

    moveEventCursorToNow: async (name) => {
      // Not a silent write: the process that reads for the cursor must claim it again and continue there.
      const isThere = await storage.write(async (tx) => tx.eventCursors.advance(name, await tx.events.tail()), {
        shared: true,
      });
      hub.wake();
      return isThere;
    },

    start: ({ keepAlive = false } = {}) => {
      if (keepAlive && !isClosed()) keepingAlive ??= setInterval(() => undefined, LONG_MS);
      worker.start();
    },

    runDue: () => worker.runDue(),

    nextDue: () => worker.nextDue(),

    givenUp: (limit = 100) => storage.read((tx) => tx.outbox.givenUp(limit)),

    /** Includes refusals that are not written to the database yet. */
    auditLog: async ({ since = 0, user, action, channel, limit = 100 } = {}) => {
      await engine.refusals.flush();
      return storage.read(async (tx) =>
        tx.audit.list({
          since,
          userId: user === undefined ? undefined : (await accessAccount(tx, user)).id,
          action,
          channelId: channel,
          limit: Math.max(1, Math.min(10_000, Math.floor(limit))),
        }),
      );
    },

    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

import { BadRequest } from '../base/errors.ts';
import { operationNamed, registered } from '../catalogue.ts';
import { Engine } from '../engine/engine.ts';
import { reachableAddresses } from '../rules/public-addresses.ts';
import { accessAccount, plainReference } from './accounts.ts';
import { apiKeyOf, auditLog, idOf, setSpecialPermission } from './administration.ts';
import { type CallOptions, cancellable } from './call-options.ts';
import type { Chat } from './chat.ts';
import { type ChatOptions, withDefaults } from './chat-options.ts';
import { createOrganization, ensureOrganization } from './create-organization.ts';
import { deliver } from './deliver.ts';
import { why } from './dry-run.ts';
import { localSessions } from './local-sessions.ts';
import { receiveMail } from './mail/receive-mail.ts';
import { eventCursors, moveEventCursorToNow, Observers, removeEventCursor } from './observers.ts';
import { sync } from './sync/sync.ts';
import { TRANSPORT, transportOver } from './transport.ts';

/** The longest delay that Node timers accept. */
const LONG_MS = 2 ** 31 - 1;

/**
 * Opens a chat on a database. Migrates an older database first, unless you set `migrate`.
 * @throws TypeError if `baseUrl` is not a valid site address
 * @throws RangeError if `allowPrivateAddresses` of an option contains an invalid network
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
  const { migrate = true, onMigration, outgoingWebhooks, linkPreviews } = options;
  // Report invalid options here, not in the first call that uses them.
  reachableAddresses(outgoingWebhooks?.allowPrivateAddresses ?? false);
  if (linkPreviews) reachableAddresses(linkPreviews.allowPrivateAddresses ?? false);
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

function chatOver(engine: Engine, { hasBaseUrl, ownsSenders }: { hasBaseUrl: boolean; ownsSenders: boolean }): Chat {
  const { storage, worker } = engine;
  const observers = new Observers(engine);
  let keepingAlive: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const isClosed = () => closing !== undefined;
  const { as, system, anonymous } = localSessions(engine, isClosed);
  return {
    [TRANSPORT]: transportOver(engine, { hasBaseUrl }),
    as,
    system,
    anonymous,
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
    idOf: (kind, externalId) => idOf(engine, kind, externalId),
    apiKeyOf: (user) => apiKeyOf(engine, user),
    tokens: tokensOver(as),
    rooms: {
      ensure: (...call) => system().rooms.ensure(...call),
      close: (...call) => system().rooms.close(...call),
    },
    deliver: (row) => deliver((user) => (user === undefined || user === null ? system() : as(user)), row),
    receiveMail: (raw, envelope = {}) => receiveMail(engine, raw, envelope),
    sync: (lists, options = {}) => sync(engine, lists, options),
    setSpecialPermission: (...change) => setSpecialPermission(engine, ...change),
    on: (async (what: string, listener: never, options = {}) => {
      if (what === 'event') return observers.on(listener, options);
      if (what === 'notification') return observers.onNotification(listener, options);
      throw new BadRequest('The first argument of chat.on must be "event" or "notification".');
    }) as Chat['on'],
    events: (options = {}) => observers.events(options),
    eventCursors: () => eventCursors(engine),
    removeEventCursor: (name) => removeEventCursor(engine, name),
    moveEventCursorToNow: (name) => moveEventCursorToNow(engine, name),
    start: ({ keepAlive = false } = {}) => {
      if (keepAlive && !isClosed()) keepingAlive ??= setInterval(() => undefined, LONG_MS);
      worker.start();
    },
    runDue: () => worker.runDue(),
    nextDue: () => worker.nextDue(),
    givenUp: (limit = 100) => storage.read((tx) => tx.outbox.givenUp(limit)),
    auditLog: (options = {}) => auditLog(engine, options),
    close: () => {
      closing ??= closeAll(engine, observers, { ownsSenders }).finally(() => clearInterval(keepingAlive));
      return closing;
    },
  };
}

const tokensOver = (as: Chat['as']): Chat['tokens'] => ({
  create: ({ user, ttlSeconds, scopes, rooms }) =>
    as(user).tokens.create({
      ...(ttlSeconds === undefined ? {} : { ttl_seconds: ttlSeconds }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(rooms === undefined ? {} : { rooms }),
    }),
  revoke: async ({ user, id }) => {
    await as(user).tokens.revoke(id === undefined ? {} : { token_id: id });
  },
});

async function closeAll(
  { hub, worker, refusals, options }: Engine,
  observers: Observers,
  { ownsSenders }: { ownsSenders: boolean },
): Promise<void> {
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
  if (failures.length > 1) throw new AggregateError(failures, 'Closing the chat caused several errors.');
  if (failures.length === 1) throw failures[0];
}

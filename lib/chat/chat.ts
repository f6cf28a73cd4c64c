import type { Explanation } from '../engine/explanation.ts';
import type { AuditEntry } from '../storage/interface/audit.ts';
import type { OutboxItem } from '../storage/interface/outbox.ts';
import type { UserReference } from './accounts.ts';
import type { NewOrganization, OrganizationOwner } from './create-organization.ts';
import type { DeliverableName, DeliveryAnswer, StoredCall } from './deliver.ts';
import type { EventListener, EventSubscription, SubscriptionOptions } from './event-subscription.ts';
import type { Operations } from './generated.ts';
import type { MailEnvelope, MailResult } from './mail/receive-mail.ts';
import type { NotificationListener, NotificationOptions } from './notifications.ts';
import type { ObservedEvent } from './observed-events.ts';
import type { CursorState, EventsOptions } from './observers.ts';
import type { EventType, OperationName, ParametersOf, Session } from './session.ts';
import type { SyncLists, SyncOptions, SyncResult } from './sync/types.ts';
import { TRANSPORT } from './transport.ts';

/** Options of `chat.anonymous`. */
export interface AnonymousOptions {
  /** Recorded as the name of the client. Default `Parlance`. */
  client?: string;
  /**
   * E-mail address of the caller, already verified by your code. The chat does not verify it again. It lets the
   * caller join by a reusable invitation link without confirming the address by e-mail.
   */
  confirmedEmail?: string;
}

/** Options of `chat.tokens.create`. */
export interface TokenOptions {
  /** The account that the token logs in. */
  user: UserReference;
  /** Seconds until it expires: 1 to 86400. Default 3600. */
  ttlSeconds?: number;
  /** What it allows: `read`, or `write`, which includes reading. Default: everything. */
  scopes?: ('read' | 'write')[];
  /** External IDs of rooms. The token reads and writes only their messages. Default: everything. */
  rooms?: string[];
}

/** Permissions that only `chat.setSpecialPermission` can grant. No role and no API call grants them. */
export type SpecialPermission = 'can_change_user_emails';

/** Options of `chat.start`. */
export interface StartOptions {
  /**
   * Whether to keep the process alive until `chat.close()`. Set it in a program without a server that only runs
   * the background worker or listens with `chat.on`. Default false.
   */
  keepAlive?: boolean;
}

/** Options of `chat.auditLog`. */
export interface AuditLogOptions {
  /** Only entries from this time on, in milliseconds since the epoch. Default: all stored entries. */
  since?: number;
  /** Only actions of this account and sign-ins to it. Default: all accounts. */
  user?: UserReference;
  /** Only this operation, for example `users.edit`, or `authenticate` for wrong API keys. Default: all. */
  action?: string;
  /** Only actions in this channel: its ID. Default: all. */
  channel?: number;
  /** Largest number of entries; the newest are kept. Default 100, at most 10,000. */
  limit?: number;
}

/** A session in the process of the chat. */
export interface LocalSession extends Session {
  /**
   * The operations of the session, run in a transaction that your program has opened. Your commit publishes the change
   * and its events together; your rollback leaves nothing. A refused call leaves your transaction usable.
   *
   * Only operations that do not block other writers can be used, such as `messages.send` and `messages.addReaction`.
   * They hold their locks until you commit: call them last. A transaction that is idle for 5 seconds afterwards is
   * ended by PostgreSQL.
   * @param connection the client of `pg`, or the database of better-sqlite3 or `node:sqlite`, with the open transaction.
   *   It leads to the database of the chat. PostgreSQL: READ COMMITTED. SQLite: the same file, or attached
   * @throws TransactionUnsuitable `TRANSACTION_UNSUITABLE`
   * @example
   * await client.query('BEGIN');
   * await client.query('UPDATE orders SET paid = true WHERE id = $1', [7]);
   * await chat.system().within(client).messages.send({ type: 'channel', to: 'orders', topic: '7', content: 'Paid.' });
   * await client.query('COMMIT');
   */
  within(connection: object): Operations;
}

/**
 * One organization in one database. Open it with `openChat`.
 * @example
 * const chat = await openChat({ storage: sqlite('chat.db') });
 * const ada = await chat.createOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
 * await chat.as(ada).channels.create({ name: 'general', subscribers: [ada.user_id] });
 * await chat.close();
 */
export interface Chat {
  /**
   * A session of one user, without credentials. Use it in code that has its own login. Every call looks up the
   * account and rejects with `Unauthorized` if it does not exist or is deactivated.
   * @param user user ID, e-mail address, or an object with `user_id` or `external_id`
   * @example await chat.as('ada@example.com').messages.send({ type: 'channel', to: 'general', topic: 'hi', content: 'Hello' });
   */
  as(user: UserReference, options?: { client?: string }): LocalSession;
  /**
   * A session of your own code, with every permission. It needs no account, and no setting can lock it out. Its
   * messages and reactions come from Notification Bot. The audit log shows `user_id: null` and the client `system`.
   * Objects that it creates have no creator. It reads all channels, also private ones. Operations on the caller's own
   * account are refused.
   * @example await chat.system().channels.create({ name: 'orders', subscribers: [ada.user_id] });
   */
  system(): LocalSession;
  /** A session without an account, for operations that need no login. */
  anonymous(options?: AnonymousOptions): Session;
  /**
   * Explains whether a user may do something, and which rules decide it, in the order in which they are checked.
   * Runs the operation and rolls it back. For trusted code: the answer may reveal anything.
   * @throws BadRequest if there is no such account, or if the operation does not support dry runs
   * @example const { allowed, refusal, steps } = await chat.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(user: UserReference, operation: N, ...parameters: ParametersOf<N>): Promise<Explanation>;
  /**
   * Creates the organization and its first owner in an empty database. Resolves to the account of the owner.
   * @throws BadRequest if there is already an organization, or if a name or address is invalid
   * @throws PasswordTooWeak if the password of the owner is too easy to guess
   */
  createOrganization(organization: NewOrganization): Promise<OrganizationOwner>;
  /**
   * Creates the organization and its first owner unless there is an organization. Concurrent calls, also from several
   * processes, create one. Does not change an existing organization: then it resolves to the account of
   * `owner.email` if this is an active owner, and otherwise to the first owner. `is_new`: whether this call created it.
   * @throws BadRequest if a name or address is invalid
   * @throws PasswordTooWeak if the password of the owner is too easy to guess
   * @example const ada = await chat.ensureOrganization({ name: 'Example', owner: { email: 'ada@example.com', full_name: 'Ada' } });
   */
  ensureOrganization(organization: NewOrganization): Promise<OrganizationOwner & { is_new: boolean }>;
  /** Whether this database already contains an organization. */
  hasOrganization(): Promise<boolean>;
  /**
   * The ID of the user, channel or group that has this external ID. Undefined if there is none.
   * @example const channelId = await chat.idOf('channel', 'project-42');
   */
  idOf(kind: 'user' | 'channel' | 'group', externalId: string): Promise<number | undefined>;
  /**
   * The API key of an account.
   * @throws Unauthorized if there is no such account
   */
  apiKeyOf(user: UserReference): Promise<string>;
  /** Tokens for pages and programs of a user: `session.tokens.create` of the account. */
  readonly tokens: {
    /**
     * Creates a login for a limited time. Send it as `Authorization: Bearer …`, or pass it to `connect`.
     * @throws Unauthorized if there is no such account, or if it is deactivated; BadRequest
     * @example const { token } = await chat.tokens.create({ user: 'ben@example.com', ttlSeconds: 600 });
     */
    create(options: TokenOptions): ReturnType<Session['tokens']['create']>;
    /**
     * Ends a token at once, with its requests and event streams. Without `id`, it ends all tokens and browser logins of
     * the account.
     * @param options.id the `token_id` from `create`
     * @throws Unauthorized if there is no such account, or if it is deactivated; BadRequest
     */
    revoke(options: { user: UserReference; id?: string }): Promise<void>;
  };
  /** Rooms: private conversations of your customers with your staff. `chat.system()` calls these operations. */
  readonly rooms: {
    /**
     * Finds or creates a room, and makes its members and staff equal to the lists. Call it whenever a page shows the
     * room: it is safe to repeat and to call concurrently. It cannot run in a transaction of your program (`within`).
     * @throws BadRequest if a member or the group does not exist
     * @throws ChannelAlreadyExists `CHANNEL_ALREADY_EXISTS` if another channel has the name
     * @throws ExternalIdInUse `EXTERNAL_ID_IN_USE` if a channel that is not a room has the external ID
     * @example
     * const members = [{ external_id: 'u7' }];
     * const { stream_id } = await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members, staff: 'support' });
     */
    ensure(...call: Parameters<Session['rooms']['ensure']>): ReturnType<Session['rooms']['ensure']>;
    /**
     * Archives a room. Members and staff can still read it. `ensure` opens it again.
     * @throws BadRequest if there is no room with this external ID
     * @throws ExternalIdInUse `EXTERNAL_ID_IN_USE` if a channel that is not a room has the external ID
     */
    close(...call: Parameters<Session['rooms']['close']>): ReturnType<Session['rooms']['close']>;
  };
  /**
   * Makes a call that your program has stored in a table of its own, in another database. Within 24 hours, a second
   * delivery of the row changes nothing and resolves to the first answer. So deliver a row, then delete it; after a
   * crash, start with the rows that remain.
   * @throws BadRequest if the operation does not accept an `idempotency_key`, or if there is no key
   * @throws IdempotencyKeyReused `IDEMPOTENCY_KEY_REUSED` if the key belongs to another call; and what the operation throws
   * @example
   * const parameters = { type: 'channel', to: 'orders', topic: '7', content: 'Paid.' } as const;
   * const { id } = await chat.deliver({ key: 'order 7', operation: 'messages.send', parameters });
   */
  deliver<N extends DeliverableName>(row: StoredCall<N>): Promise<DeliveryAnswer<N>>;
  /**
   * Posts the messages of an e-mail: a reply to a notification, or mail to the address of a channel. Needs the option
   * `replies` of `mail`. One result for each recipient that has the form of an address of this chat. The sender of a
   * refused e-mail gets a report. Within a day, it posts the same e-mail only once.
   * @param raw the e-mail with its headers (MIME), at most 25 MiB
   * @throws BadRequest if it has errors; after any other error, call it again later
   * @example const results = await chat.receiveMail(raw, { to: ['r1-…@reply.chat.example.com'], from: 'ben@example.com' });
   */
  receiveMail(raw: Uint8Array | AsyncIterable<Uint8Array>, envelope?: MailEnvelope): Promise<MailResult[]>;
  /**
   * Makes users, channels and groups equal to the given lists: creates, renames, changes roles, subscribes,
   * unsubscribes, deactivates and reactivates. Finds records by `external_id`, their ID in your program. Records without
   * an external ID stay as they are, unless the list names their address or name.
   *
   * First checks the lists as a whole. Then small transactions change the chat, and other work runs in between. A
   * repeated sync changes nothing; after a crash, it continues. A refused record becomes a change with the action
   * `failed`, and the sync continues with the others.
   * @throws BadRequest, RequestVariableMissing, ExternalIdInUse (`EXTERNAL_ID_IN_USE`), EmailAlreadyInUse, GroupCycle
   * (`GROUP_CYCLE`) if the lists are not valid. The chat then stays as it was.
   * @example
   * const { counts } = await chat.sync({
   *   channels: [{ external_id: 'p42', name: 'Project 42' }],
   *   users: [{ external_id: 'u7', name: 'Ben Ngo', email: 'ben@example.com', channels: ['p42'] }],
   * });
   */
  sync(lists: SyncLists, options?: SyncOptions): Promise<SyncResult>;
  /**
   * Grants or revokes a permission that the API cannot grant. `can_change_user_emails` lets an owner change the
   * e-mail addresses of other users.
   * @throws Unauthorized if there is no such account, or if it is a system bot
   */
  setSpecialPermission(
    user: UserReference,
    permission: SpecialPermission,
    isGranted: boolean,
  ): Promise<{ user_id: number; full_name: string }>;
  /**
   * Calls `listener` for every event of the organization, one at a time and in order, after the commit. Resolves as
   * soon as the listener is active. If the listener throws, the error is logged and the same event is delivered
   * again, after 1 to 60 seconds. Listeners do not keep the process alive: see `start`.
   * @throws BadRequest if the cursor name is empty or longer than 100 characters, or if there are 100 cursors already
   * @throws StorageError `closed` if the chat is closed
   * @example
   * await chat.on('event', ({ event }) => index(event), { cursor: 'search', event_types: ['message'] });
   */
  on<const T extends EventType = EventType>(
    what: 'event',
    listener: EventListener<T>,
    options?: SubscriptionOptions<T>,
  ): Promise<EventSubscription>;
  /**
   * Calls `listener` for every decision to notify a user of messages. It has the guarantees of `on('event')`: in order,
   * one at a time, and with a cursor at least once. Use it to send your own e-mail, SMS or push notifications.
   * `notifications.program` of `openChat` must name the way. The worker decides: see `start`.
   * @throws BadRequest if `notifications.program` does not name the way, and as `on('event')` does
   * @throws StorageError `closed` if the chat is closed
   * @example
   * await chat.on('notification', ({ external_id, unread }) => sendSms(external_id, `${unread} new`), { cursor: 'sms' });
   */
  on(what: 'notification', listener: NotificationListener, options?: NotificationOptions): Promise<EventSubscription>;
  /**
   * Iterates over the events of the organization: from now on, or after a position that you have stored.
   * @throws EventGap if events after that position were removed. The log keeps events for at least 10 minutes.
   * @throws BadRequest if the log has no such position
   * @example for await (const { position, event } of chat.events({ after })) await save(position, event);
   */
  events<const T extends EventType = EventType>(options?: EventsOptions<T>): AsyncIterableIterator<ObservedEvent<T>>;
  /** All named cursors of `chat.on`. */
  eventCursors(): Promise<CursorState[]>;
  /** Deletes a cursor, so that the log no longer keeps events for it. Resolves to false if there is no such cursor. */
  removeEventCursor(name: string): Promise<boolean>;
  /**
   * Moves a cursor to the end of the log. Its listener continues there within 20 seconds and never receives the
   * skipped events; `onGap` is not called. Resolves to false if there is no such cursor.
   */
  moveEventCursorToNow(name: string): Promise<boolean>;
  /**
   * Starts the background worker: scheduled messages, reminders, e-mail, push notifications, outgoing webhooks.
   * `serve` of `parlance-chat/server` calls this for you. The worker does not keep the process alive unless you set
   * `keepAlive`.
   */
  start(options?: StartOptions): void;
  /** Runs all background work that is due now. Resolves to the number of completed jobs. */
  runDue(): Promise<number>;
  /**
   * Time of the next background work in milliseconds since the epoch; undefined if there is none. Without work that
   * only frees space. For programs that call `runDue` themselves.
   */
  nextDue(): Promise<number | undefined>;
  /**
   * Failed side effects (e-mail, notifications, webhooks) that are no longer retried, newest first, with the last
   * error. They are kept for 30 days.
   * @param limit largest number of items; default 100
   */
  givenUp(limit?: number): Promise<OutboxItem[]>;
  /**
   * The audit log: actions of administrators and owners, sign-ins, and refused attempts at both. Resolves to the
   * newest `limit` matching entries (default 100, at most 10,000), oldest first. For trusted code.
   * @throws Unauthorized if `user` is not an account
   * @example await chat.auditLog({ since: Date.now() - 86_400_000, action: 'users.edit' });
   */
  auditLog(options?: AuditLogOptions): Promise<AuditEntry[]>;
  /**
   * Ends long polls, finishes running calls and closes the storage. Closes everything even if one part fails.
   * @throws the error of `mail` or `pushRelay` if it cannot be closed; AggregateError if several parts fail
   */
  close(): Promise<void>;
  /** For `transportOf` only. Programs that embed a chat do not need it. */
  readonly [TRANSPORT]: unknown;
}

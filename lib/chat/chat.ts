import type { Explanation } from '../access/explanation.ts';
import type { EventType, OperationName, ParametersOf, Session } from '../kernel/session.ts';
import type { AuditEntry } from '../storage/interface/audit.ts';
import type { OutboxItem } from '../storage/interface/outbox.ts';
import type { AuditLogOptions } from './audit-log.ts';
import type { NewOrganization } from './create-organization.ts';
import type { EventListener, EventSubscription, SubscriptionOptions } from './event-subscription.ts';
import type { ObservedEvent } from './observed-events.ts';
import type { CursorState, EventsOptions } from './observers.ts';
import { TRANSPORT, type UserReference } from './transport.ts';

/** How somebody without an account calls. */
export interface AnonymousOptions {
  /** Name recorded as that of the client. Default `Parlance`. */
  client?: string;
  /**
   * An address that belongs to whoever calls, as your code has made sure: it is taken on trust. With it they join by a
   * link for many, where others first confirm theirs by e-mail.
   */
  confirmedEmail?: string;
}

/** What whoever runs the software may grant beyond roles and groups. */
export type SpecialPermission = 'can_change_user_emails';

/** How the background worker is started. */
export interface StartOptions {
  /**
   * Whether the process stays alive until `chat.close()`: for a program of its own that works on what falls due, or
   * listens by `chat.on`, and has no server. Default false.
   */
  keepAlive?: boolean;
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
  /**
   * The session of an account, trusted without credentials: for code that has its own login. The account is looked up
   * with each call, which is refused (`Unauthorized`) where there is none or it is deactivated.
   * @throws BadRequest where the user is neither an ID nor an address
   */
  as(user: UserReference, options?: { client?: string }): Session;
  /** A session without credentials, for what anybody may do. */
  anonymous(options?: AnonymousOptions): Session;
  /**
   * Whether somebody may do something, and which rules decide it, in the order in which they are asked; for code that
   * may know everything. The operation is run and rolled back.
   * @throws BadRequest where there is no such account, or for an operation that cannot be tried
   * @example const { allowed, refusal, steps } = await chat.why('ben@example.com', 'channels.archive', { stream_id: 4 });
   */
  why<N extends OperationName>(user: UserReference, operation: N, ...parameters: ParametersOf<N>): Promise<Explanation>;
  /**
   * Creates the organization and its first owner in an empty database.
   * @throws BadRequest where there is an organization already, or a name or address is none
   * @throws PasswordTooWeak where the owner's password can be guessed
   */
  createOrganization(organization: NewOrganization): Promise<{ user_id: number; email: string; api_key: string }>;
  /** Whether this database holds an organization already. */
  hasOrganization(): Promise<boolean>;
  /**
   * The API key of an account.
   * @throws Unauthorized where there is no such account
   */
  apiKeyOf(user: UserReference): Promise<string>;
  /**
   * Gives an account a right that nobody can give through the API, or takes it away. `can_change_user_emails`:
   * as long as they are an owner, they may give others another address.
   * @throws Unauthorized where there is no such account, or it belongs to the software
   */
  setSpecialPermission(
    user: UserReference,
    permission: SpecialPermission,
    isGranted: boolean,
  ): Promise<{ user_id: number; full_name: string }>;
  /**
   * Calls `listener` with everything that happens in the organization, after it has been committed, one by one and in
   * order. Resolves once it listens. What it throws is logged, and it is told of the same event again, later and later.
   * It does not keep the process alive: see `start`.
   * @throws BadRequest for a name of a cursor that is empty or too long, or the 101st
   * @throws StorageError `closed` where the chat is closing
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
   * @throws BadRequest where the log has no such place
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
  /**
   * Starts the background worker, which does what falls due: scheduled messages, reminders, e-mail, notifications, web
   * hooks. `serve` of `parlance/server` does this for you. Neither the worker nor listeners keep the process alive: a
   * program that has nothing else to do ends, unless it asks for `keepAlive`.
   */
  start(options?: StartOptions): void;
  /** Does everything due at this moment of the clock; returns how many things it did. */
  runDue(): Promise<number>;
  /** Side effects that were given up in the last thirty days, newest first, with the reason; 100 at most unless told otherwise. */
  givenUp(limit?: number): Promise<OutboxItem[]>;
  /**
   * What was done by administrators and owners, sign-ins, and what was refused of both: the newest `limit` (default
   * 100, at most 10000) of those that fit, oldest first. For code that may know everything.
   * @throws Unauthorized where `user` is no account
   * @example await chat.auditLog({ since: Date.now() - 86_400_000, action: 'users.edit' });
   */
  auditLog(options?: AuditLogOptions): Promise<AuditEntry[]>;
  /**
   * Lets polls go, finishes what is under way and closes the storage, also where something else cannot be closed.
   * @throws what `mail` or `pushRelay` failed to close with; AggregateError where several things failed
   */
  close(): Promise<void>;
  /** For `transportOf` alone, whose types a program that embeds a chat has no use for. */
  readonly [TRANSPORT]: unknown;
}

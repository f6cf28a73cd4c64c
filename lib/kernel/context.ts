import type { ChannelCache } from '../caches/channel-cache.ts';
import type { Muters } from '../caches/muters.ts';
import type { PresenceCache } from '../caches/presence-cache.ts';
import type { PresenceList } from '../caches/presence-list.ts';
import type { PushOwners } from '../caches/push-owners.ts';
import type { UserList } from '../caches/user-list.ts';
import type { EventHub } from '../delivery/hub.ts';
import type { Departure } from '../delivery/waiter.ts';
import type { Wire } from '../delivery/wire.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileStore } from '../ports/files.ts';
import type { Images } from '../ports/images.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mail } from '../ports/mail.ts';
import type { PushRelay } from '../ports/push-relay.ts';
import type { WebhookOptions } from '../ports/webhook-calls.ts';
import type { Audience, EventDraft } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { Reading, Storage, Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import type { CallTurn } from './call-turn.ts';
import type { QueueOptions } from './client.ts';
import type { DeclaredEvent } from './define-event.ts';
import type { Hooks } from './hooks.ts';

/**
 * Who may call an operation at all; checked before parameters are read.
 * - `anyone`: no credentials are read
 * - `spectator`: credentials are optional where the organization is open to the public
 * - `user`: every active account, bots and guests included
 * - `member`: no guests · `human`: no bots · `human member`: neither
 * - `administrator`, `owner`: of the organization
 */
export type Access = 'anyone' | 'spectator' | 'user' | 'member' | 'human' | 'human member' | 'administrator' | 'owner';

export interface ServiceOptions {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  mail: Mail | undefined;
  pushRelay: PushRelay | undefined;
  images: Images;
  /** Keeps uploaded files; without it nobody uploads any. */
  files: FileStore | undefined;
  /** Largest file that somebody may upload, MiB. */
  maxUploadMebibytes: number;
  /** What all files of the organization may measure together, MiB; null: no limit. */
  uploadQuotaMebibytes: number | null;
  /** Where the outside reaches this organization, without a trailing slash; a server sets it when it listens. */
  baseUrl: string;
  /** Development mode: `dev_fetch_api_key` answers. */
  development: boolean;
  /** Public access may be switched on by the organization (`WEB_PUBLIC_STREAMS_ENABLED`). */
  webPublicChannels: boolean;
  /** Only those who may see an account see its presence (`CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE`). */
  limitPresence: boolean;
  /** How long invitations are valid that do not say it, minutes; null: for ever. */
  invitationMinutes: number | null;
  /** Seconds an idle long poll is held before a heartbeat. */
  heartbeatSeconds: number;
  /** Where web hooks of bots may be, and how long they may take. */
  outgoingWebhooks: WebhookOptions;
  /** What the embedding program is asked. */
  hooks: Hooks;
}

/** What the process offers to operations and background work, beside their transactions. */
export interface Services {
  readonly options: Readonly<ServiceOptions>;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Polls that wait in this process. */
  readonly hub: EventHub;
  /** Events in the form in which a client receives them. */
  readonly wire: Wire;
  /** Parts of the state a client starts from, by fetch type. */
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly channelCache: ChannelCache;
  readonly muters: Muters;
  readonly pushOwners: PushOwners;
  /** A change made by the software itself, alone among the writers: no caller, no access check. */
  maintain<T>(work: (context: TransactionContext<'anyone'>) => Promise<T>): Promise<T>;
  /** A change made by the software itself, beside senders: as an operation with the effect `append`. */
  append(work: (context: TransactionContext<'anyone'>) => Promise<void>): Promise<void>;
  /** A change made by the software itself to what somebody has read: as an operation with the effect `mark`. */
  mark(work: (context: TransactionContext<'anyone'>) => Promise<void>): Promise<void>;
  /** As `append`, in the name of an account, which is refused as a caller would be. */
  appendAs(
    caller: { userId: number; client: string },
    work: (context: TransactionContext<'user'>) => Promise<void>,
  ): Promise<void>;
  /** Work may have come due earlier than the worker knows; to be called after the commit. */
  rearm(): void;
  readonly presenceCache: PresenceCache;
  readonly presenceList: PresenceList;
}

/** What a part of the initial state is built from: one read transaction and what the client asked for. */
export interface Snapshot {
  context: AccountContext;
  options: QueueOptions;
  /** Whether it does with some subscribers of channels that have too many. */
  mayNameSome: boolean;
  /** Presence no older than this. */
  presence_history_limit_days: number;
  /** Whether a fetch type was asked for. */
  wants(type: string): boolean;
}

/** Fields of the register answer for one fetch type; large ones may be `RawJson`. */
export type StatePart<S extends object = object> = (snapshot: Snapshot) => Promise<S>;

/** What every operation receives beside its parameters. */
interface CallContext<A extends Access> {
  /** The caller, read afresh in this transaction. */
  readonly actor: A extends 'anyone' ? undefined : A extends 'spectator' ? User | undefined : User;
  readonly organization: Organization;
  /** The present, milliseconds since the epoch, from the injected clock. */
  readonly now: number;
  /** Name of the client program, at most 30 characters. */
  readonly client: string;
  /** An address that belongs to whoever calls without an account, as code in this process has made sure. */
  readonly confirmedEmail?: string | undefined;
  readonly services: Services;
}

/** A side effect to be done after the commit, outside the process. */
export interface OutboxDraft {
  kind: string;
  payload: Record<string, unknown>;
  /** Not before this time, milliseconds; at once when absent. */
  due_ms?: number;
}

/** What differs between a transaction that reads and one that writes. */
export interface TransactionHooks {
  /** The account as this transaction sees it; reading operations find one they know without asking the database. */
  account(id: number): Promise<User | undefined>;
  /** All accounts as this transaction sees them. */
  accounts(): Promise<UserList>;
  /** Appends an event to this transaction; it is delivered after the commit. */
  emit(audience: Audience, event: DeclaredEvent, delivery?: Delivery): void;
  /** For what is remembered in memory: done when this change is committed, and never for one rolled back. */
  afterCommit(then: () => void): void;
  /** A side effect that leaves the process: committed with this change, done by the background worker. */
  enqueue(item: OutboxDraft): void;
}

/** How an event differs for some of its audience. */
export type Delivery = Omit<EventDraft, 'audience' | 'event'>;

/** Inside a transaction: nothing but `tx` is awaited, since the work may be repeated. */
export interface TransactionContext<A extends Access = Access> extends CallContext<A>, TransactionHooks {
  readonly tx: Transaction;
  /** The organization's `channels_version` as this transaction found it. */
  readonly channelsVersion: number;
  /** The organization's `users_version` as this transaction found it. */
  readonly usersVersion: number;
  /** The organization's `readers_version` as this transaction found it. */
  readonly readersVersion: number;
  /** The organization's `push_version` as this transaction found it. */
  readonly pushVersion: number;
}

/** A transaction of a caller who has an account, whatever the operation asks of them beyond. */
export type AccountContext = Omit<TransactionContext, 'actor'> & { readonly actor: User };

/** What looking something up takes: whoever asks is an argument of its own. */
export type ReadContext = Pick<TransactionContext, 'tx' | 'organization' | 'now' | 'services'>;

/** The part of a context that tells who may see what. */
export type LookupContext = Omit<ReadContext, 'services'>;

/** What a change takes: it may tell others, and remember what was committed. */
export type WriteContext = ReadContext &
  Pick<TransactionContext, 'emit' | 'enqueue' | 'afterCommit' | 'channelsVersion' | 'readersVersion' | 'pushVersion'>;

/** For an operation that opens its own transactions, each with the caller read afresh. */
export interface ManualContext<A extends Access = Access> extends CallContext<A> {
  transact<T>(
    effect: 'read' | 'write' | 'mark' | 'append',
    work: (context: TransactionContext<A>) => Promise<T>,
    reading?: Reading,
  ): Promise<T>;
  /** Where somebody who does much has to wait for others. */
  readonly turn: CallTurn | undefined;
  /** A dry run: its transactions are rolled back, so nothing may be remembered outside of them either. */
  readonly isTrial: boolean;
  /** Aborted when the caller went away. */
  readonly signal: Departure | undefined;
}

import type { Clock } from '../adapters/clock.ts';
import type { Directory } from '../adapters/directory.ts';
import type { FileStore } from '../adapters/files.ts';
import type { Hooks } from '../adapters/hooks.ts';
import type { Images } from '../adapters/images.ts';
import type { LinkPreviewOptions } from '../adapters/link-pages.ts';
import type { Logger } from '../adapters/logger.ts';
import type { Mail } from '../adapters/mail.ts';
import type { PushRelay } from '../adapters/push-relay.ts';
import type { WebhookOptions } from '../adapters/webhook-calls.ts';
import type { CancelSignal } from '../base/cancel-signal.ts';
import type { QueueOptions } from '../events/client.ts';
import type { ProgramWay } from '../events/decisions.ts';
import type { DeclaredEvent } from '../events/define-event.ts';
import type { EventEncoder } from '../events/event-encoder.ts';
import type { EventHub } from '../events/hub.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { Audience, EventDraft } from '../storage/interface/events.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { Reading, Storage, Transaction } from '../storage/interface/storage.ts';
import type { Upload } from '../storage/interface/uploads.ts';
import type { UserList } from '../views/user-list.ts';
import type {
  ChangedMessage,
  ChannelPlace,
  MessageKind,
  MovedMessages,
  ReceivedFlag,
  SentMessage,
} from './message-changes.ts';
import type { ChannelCache, ChannelChoosers, Muters, PushOwners } from './versioned-caches.ts';
import { Viewer } from './viewer.ts';

/**
 * Who may call an operation. Checked before parameters are read.
 * - `anyone`: no login
 * - `spectator`: login is optional if the organization allows public access
 * - `account`: every active account
 * - `user`: every active account, bots and guests included, but no incoming-webhook bots, which may only send
 * - `member`: no guests · `human`: no bots · `human member`: neither
 * - `administrator`, `owner`: of the organization
 */
export type Access =
  | 'anyone'
  | 'spectator'
  | 'account'
  | 'user'
  | 'member'
  | 'human'
  | 'human member'
  | 'administrator'
  | 'owner';

/** A login page of an identity provider. */
export interface ExternalLoginPage {
  readonly name: string;
  readonly display_name: string;
  /** Below the base URL. */
  readonly path: string;
}

/** The options of `openChat` (`ChatOptions`), with defaults. A server sets `baseUrl` when it listens. */
export interface ServiceOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: Mail | undefined;
  readonly notifications: {
    readonly email: boolean;
    readonly phones: boolean;
    readonly browsers: boolean;
    readonly program: readonly ProgramWay[];
  };
  readonly messageUrl:
    | ((
        place: { external_id?: string; channel_id?: number; topic?: string; user_ids?: number[] },
        message: { id: number },
        reader: { user_id: number; role: number },
      ) => string | undefined)
    | undefined;
  readonly pushRelay: PushRelay | undefined;
  readonly directory: Directory | undefined;
  readonly images: Images;
  readonly files: FileStore | undefined;
  readonly maxUploadMebibytes: number;
  readonly uploadQuotaMebibytes: number | null;
  baseUrl: string;
  readonly development: boolean;
  readonly webPublicChannels: boolean;
  readonly limitPresence: boolean;
  readonly invitationMinutes: number | null;
  readonly loginSecrets: readonly string[];
  /** Set by a server with identity providers. */
  loginPages: readonly ExternalLoginPage[];
  readonly heartbeatSeconds: number;
  readonly outgoingWebhooks: WebhookOptions;
  /** undefined: this process fetches no linked pages. */
  readonly linkPreviews: LinkPreviewOptions | undefined;
  readonly hooks: Hooks;
}

/** Services for operations and background work, besides their transactions. */
export interface Services {
  readonly options: Readonly<ServiceOptions>;
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hub: EventHub;
  readonly wire: EventEncoder;
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly consequences: RegisteredConsequences;
  readonly channelCache: ChannelCache;
  readonly muters: Muters;
  readonly pushOwners: PushOwners;
  /** Whether an administrator of the machine makes the calls, with `chatctl` on the database. */
  readonly isLocal: boolean;
  readonly channelChoosers: ChannelChoosers;
  /** A write of the system: no caller, no access check. */
  asSystem<T>(
    effect: 'write' | 'append' | 'mark',
    work: (context: TransactionContext<'anyone'>) => Promise<T>,
  ): Promise<T>;
  /** A write with the effect `append` as a user, with the same checks as for a caller. */
  appendAs(
    caller: { userId: number; client: string },
    work: (context: TransactionContext<'user'>) => Promise<void>,
  ): Promise<void>;
  /** Wakes the worker: new work may be due earlier than it knows. Call it after the commit. */
  rearm(): void;
  /** Calls the listener when the database continues from an older state (failover or backup). For caches. */
  onRewind(listener: () => void): void;
}

/** Input for a part of the initial state: one read transaction and the options of the client. */
export interface Snapshot {
  context: AccountContext;
  options: QueueOptions;
  /** Whether the client accepts an incomplete list of subscribers for large channels. */
  mayNameSome: boolean;
  include_never_subscribed: boolean;
  presence_history_limit_days: number;
  wants(type: string): boolean;
}

/** Fields of the `register` response for one fetch type. Large ones may be `RawJson`. */
export type StatePart<S extends object = object> = (snapshot: Snapshot) => Promise<S>;

/** The turn of a request. A transport that shares its time among accounts passes it, so that work is charged. */
export interface Permit {
  /** Waits for a place, before expensive work. */
  begin(): Promise<void> | undefined;
  /** Charges the account for work until the returned function is called. */
  beginWork(): () => void;
  /** Frees the place, also when the request only waits from now on. Later work still counts. */
  end(): void;
}

/**
 * Counts a password of a person in a directory, who may have several login names. Throws RateLimitHit after too many wrong
 * ones, also for the right one.
 */
export type CountGuess = (directoryId: string, isRight: boolean) => Promise<void>;

/** The `loginId` of all tokens: a program gets a new one each hour for the same page. */
export const TOKEN_LOGIN = 'token';

interface CallContext<A extends Access> {
  /** The caller, as read in this transaction. */
  readonly actor: A extends 'anyone' ? undefined : A extends 'spectator' ? User | undefined : User;
  readonly organization: Organization;
  /** Current time of the injected clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Name of the client program, at most 30 characters. */
  readonly client: string;
  /** E-mail address of a caller without an account, verified by code in this process. */
  readonly confirmedEmail?: string | undefined;
  /** When the token or cookie of the caller expires, in milliseconds since the epoch. undefined: other credentials. */
  readonly loginEndsAt?: number | undefined;
  /** ID of the cookie of the caller, or `TOKEN_LOGIN`. undefined: other credentials. */
  readonly loginId?: string | undefined;
  /**
   * Whether more than a stolen API key, cookie or token makes the call: a code of the caller's second factor, or code of
   * the host. `checkConfirmed` asks.
   */
  readonly isConfirmed: boolean;
  readonly services: Services;
}

export interface OutboxDraft {
  kind: string;
  payload: Record<string, unknown>;
  /** Earliest time in milliseconds since the epoch. Absent: immediately after the commit. */
  due_ms?: number;
}

export interface TransactionHooks {
  account(id: number): Promise<User | undefined>;
  accounts(): Promise<UserList>;
  /** Appends an event. It is committed with this transaction and delivered after the commit. */
  emit(audience: Audience, event: DeclaredEvent, delivery?: Delivery): void;
  /** Runs a function after the commit, for example to fill a cache. Not called after a rollback. */
  afterCommit(then: () => void): void;
  /** Adds a side effect. It is committed with this transaction and executed by the background worker. */
  enqueue(item: OutboxDraft): void;
  /** Adds IDs to the entry of the call in the audit log. Records the call, if the operation is `audited: 'noted'`. */
  audit(details: Readonly<Record<string, number | null>>): void;
}

export type Delivery = Omit<EventDraft, 'audience' | 'event'>;

/** Inside a transaction, await only `tx`: the work may run again. */
export interface TransactionContext<A extends Access = Access> extends CallContext<A>, TransactionHooks {
  readonly tx: Transaction;
  /** What the caller can see and do. */
  readonly viewer: A extends 'anyone' ? undefined : A extends 'spectator' ? Viewer | undefined : Viewer;
  readonly channelsVersion: number;
  readonly usersVersion: number;
  readonly readersVersion: number;
  readonly pushVersion: number;
}

export type AccountContext = Omit<TransactionContext, 'actor' | 'viewer'> & {
  readonly actor: User;
  readonly viewer: Viewer;
};

/** The context for acting as another account. */
export function actingAs(context: TransactionContext, actor: User): AccountContext {
  return { ...context, actor, viewer: new Viewer(context, actor, context.account) };
}

/** The context for lookups. The viewer is a separate argument: it may be another user than the caller. */
export type ReadContext = Pick<TransactionContext, 'tx' | 'organization' | 'now' | 'services'> & {
  readonly viewer?: Viewer | undefined;
};

/** The context for changes: it can also emit events, enqueue side effects and fill caches. */
export type WriteContext = ReadContext &
  Pick<
    TransactionContext,
    'emit' | 'enqueue' | 'afterCommit' | 'channelsVersion' | 'usersVersion' | 'readersVersion' | 'pushVersion'
  >;

/**
 * What a feature does when a user sends, edits, moves or deletes messages. It runs in the transaction of the change.
 * Functions of the same name start together, in the order of the catalogue, so that their queries share a round trip.
 */
export interface MessageConsequences {
  /** Before a message to a topic is stored. Returns the sender's new setting for the topic, if it changes. */
  sending?(context: WriteContext, sender: User, place: ChannelPlace): Promise<2 | 3 | undefined>;
  /** Whether `sent` needs `isFollowed`, in this chat. */
  looksForFollowers?(services: Services): boolean;
  /** Sets flags that depend on the content of sent or edited messages. Returns them. */
  flags?(context: WriteContext, messages: readonly ChangedMessage[]): Promise<readonly ReceivedFlag[]>;
  /** After `flags`, before the event. */
  sent?: SentConsequence;
  /** After the new content is stored, before the event. */
  edited?(context: WriteContext, edit: ChangedMessage): Promise<void>;
  /** With `edited`. Returns files that the message no longer links to. */
  detached?(context: WriteContext, edit: ChangedMessage): Promise<readonly Upload[]>;
  /** After the last messages of a move have moved, before the event. */
  moved?(context: AccountContext, move: MovedMessages): Promise<void>;
  /** The same, after the event. */
  afterMove?(context: AccountContext, move: MovedMessages): Promise<void>;
  deleting?(context: WriteContext, messageIds: readonly number[]): Promise<void>;
  /** After a user has read messages. */
  read?(context: WriteContext, userId: number, messageIds: readonly number[]): Promise<void>;
  /** After a user has added a reaction or a submessage, before the event. */
  reacted?(context: WriteContext, user: User, message: PlacedMessage): Promise<void>;
}

/** `react` gets the messages that concern the feature. Without such messages, it does not run. */
export interface SentConsequence {
  readonly of: MessageKind;
  react(context: WriteContext, messages: readonly SentMessage[]): Promise<void>;
}

/** The consequences of all features, by name. */
export type RegisteredConsequences = {
  readonly [name in keyof MessageConsequences]-?: readonly NonNullable<MessageConsequences[name]>[];
};

/** For an operation that opens its own transactions. Each reads the caller and the organization again. */
export interface ManualContext<A extends Access = Access> extends Omit<CallContext<A>, 'actor' | 'organization'> {
  /** Network address of the caller. Known for calls over HTTP that are audited, if the server counts requests. */
  readonly network?: string | undefined;
  /** Absent for code in this process, which has no limit. */
  readonly countGuess?: CountGuess | undefined;
  /** Name and operating system, such as `Firefox on Windows`, if the client is a known browser. */
  readonly browser?: string | undefined;
  /** Whether a transaction, or `continueAs`, has checked the caller. */
  readonly isCallerChecked: boolean;
  transact<T>(
    effect: 'read' | 'write' | 'mark' | 'append',
    work: (context: TransactionContext<A>) => Promise<T>,
    reading?: Reading,
  ): Promise<T>;
  /**
   * The transaction that makes the change. With an `idempotency_key`, it stores what `work` returns, and a repeated call
   * returns it without running `work`.
   * @param content digest of a file that has arrived during the call
   */
  once<T extends object>(
    effect: 'write' | 'mark' | 'append',
    work: (context: TransactionContext<A>) => Promise<T>,
    content?: string,
  ): Promise<T>;
  /**
   * Continues as this account without the database, if the credentials of the caller are valid for it. An earlier call
   * has authorized the account, which has not changed since. False: the next transaction authorizes the caller.
   */
  continueAs(account: User): boolean;
  /** What the first call with the same key has stored, if there was one. Not known for a streamed file. */
  readonly first: object | undefined;
  /** Waits before expensive work, if the transport limits it. */
  readonly permit: Permit | undefined;
  /** A dry run: its transactions are rolled back, so it must not change memory either. */
  readonly isDryRun: boolean;
  /** Aborted when the client is gone. */
  readonly signal: CancelSignal | undefined;
}

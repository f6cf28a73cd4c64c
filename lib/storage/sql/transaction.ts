import type { PrefetchedQueries, Transaction } from '../interface/storage.ts';
import { StorageError, stalled } from '../storage-error.ts';
import { SqlAudit } from './audit.ts';
import { SqlBotStorage } from './bot-storage.ts';
import { SqlChannels } from './channels.ts';
import {
  type Concurrency,
  type Connection,
  type Eventually,
  type Foresee,
  type RowShape,
  type Sending,
  type SnapshotAnswers,
  type SqlValue,
  Statements,
} from './connection.ts';
import { SqlConversations } from './conversations.ts';
import { SqlReminders, SqlScheduledMessages } from './deliveries.ts';
import type { Dialect } from './dialect.ts';
import { SqlDrafts, SqlNavigationViews, SqlSavedSnippets } from './drafts.ts';
import { SqlEdits } from './edits.ts';
import { SqlCustomEmoji, SqlReactions } from './emoji.ts';
import { SqlEvents } from './events.ts';
import { SqlFlags } from './flags.ts';
import { SqlGroups } from './groups.ts';
import { SqlEmailVerifications, SqlInvitations } from './invitations.ts';
import { SqlMessages } from './messages.ts';
import { SqlLinkifiers, SqlOrganization, SqlPlaygrounds, SqlProfileFields } from './organization.ts';
import { SqlOutbox } from './outbox.ts';
import { SqlPresences, SqlUserStatuses } from './presences.ts';
import { SqlPushDevices, SqlPushNotices, SqlPushTokens } from './push.ts';
import { SqlEventCursors, SqlQueues } from './queues.ts';
import { SqlReadState } from './read-state.ts';
import { SqlAlertWords, SqlMutedUsers } from './reader-settings.ts';
import { SqlRetention } from './retention.ts';
import { SqlPasswordResets, SqlSignInNetworks } from './sign-in.ts';
import { SqlSubscriptions } from './subscriptions.ts';
import { SqlResumableUploads, SqlUploads } from './uploads.ts';
import { SqlUserTopics } from './user-topics.ts';
import { SqlAvatars, SqlGuestVisibility, SqlUsers } from './users.ts';

type Stores = { readonly [name in keyof Transaction]: new (connection: Connection) => Transaction[name] };

const STORES: Stores = {
  organization: SqlOrganization,
  linkifiers: SqlLinkifiers,
  playgrounds: SqlPlaygrounds,
  profileFields: SqlProfileFields,
  avatars: SqlAvatars,
  users: SqlUsers,
  passwordResets: SqlPasswordResets,
  signInNetworks: SqlSignInNetworks,
  presences: SqlPresences,
  guestVisibility: SqlGuestVisibility,
  invitations: SqlInvitations,
  emailVerifications: SqlEmailVerifications,
  userStatuses: SqlUserStatuses,
  mutedUsers: SqlMutedUsers,
  alertWords: SqlAlertWords,
  botStorage: SqlBotStorage,
  groups: SqlGroups,
  channels: SqlChannels,
  subscriptions: SqlSubscriptions,
  conversations: SqlConversations,
  userTopics: SqlUserTopics,
  messages: SqlMessages,
  scheduledMessages: SqlScheduledMessages,
  reminders: SqlReminders,
  readState: SqlReadState,
  retention: SqlRetention,
  flags: SqlFlags,
  edits: SqlEdits,
  reactions: SqlReactions,
  drafts: SqlDrafts,
  savedSnippets: SqlSavedSnippets,
  navigationViews: SqlNavigationViews,
  customEmoji: SqlCustomEmoji,
  uploads: SqlUploads,
  resumableUploads: SqlResumableUploads,
  pushDevices: SqlPushDevices,
  pushTokens: SqlPushTokens,
  pushNotices: SqlPushNotices,
  events: SqlEvents,
  eventCursors: SqlEventCursors,
  queues: SqlQueues,
  outbox: SqlOutbox,
  audit: SqlAudit,
};

/** Creates stores on first use, since most jobs need only a few. */
class StoresOf {
  readonly #connection: Connection;
  readonly #made: Record<string, unknown> = {};

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  static {
    for (const [name, Store] of Object.entries(STORES)) {
      Object.defineProperty(StoresOf.prototype, name, {
        get(this: StoresOf) {
          this.#made[name] ??= new Store(this.#connection);
          return this.#made[name];
        },
      });
    }
  }
}

/** Statements of both kinds can start with `WITH`. */
const mayWrite = (sql: string) => !/^\s*SELECT\b/.test(sql) && /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);

export type Work<T> = (tx: Transaction) => Promise<T>;

/** The connection of one job in a transaction, alone or with others. It works until the job ends. */
export class JobConnection extends Statements implements Connection {
  readonly dialect: Dialect;
  readonly knownSchema: number;
  readonly keptWords: Set<string> | undefined;
  concurrency: Concurrency | undefined;
  foresee: Foresee | undefined;
  /** Awaited at the end of the work, also after a failure. Its error replaces the result. */
  check: () => Promise<void> = async () => undefined;
  /** Number of statements that may have changed data. */
  writes = 0;
  /** A statement has failed, so on PostgreSQL all later statements of the transaction fail. */
  isBroken = false;
  readonly #connection: Connection;
  /** Number of pending statements. */
  #pending = 0;
  #hasEnded = false;
  #isWatched = false;
  #onStall: (() => void) | undefined;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
    this.dialect = connection.dialect;
    this.knownSchema = connection.knownSchema;
    this.keptWords = connection.keptWords;
  }

  /** Runs the work. With `mayWait` it may await other things than the transaction, as a read may. */
  async perform<T>(work: Work<T>, { mayWait = false } = {}): Promise<T> {
    const tx = new StoresOf(this) as unknown as Transaction;
    try {
      const value = await (mayWait ? work(tx) : this.#watched(work, tx)).finally(this.check);
      if (this.#pending > 0) throw new StorageError(UNAWAITED, 'ended');
      return value;
    } finally {
      // A forgotten `await` must never write into another transaction.
      this.#hasEnded = true;
      this.concurrency = undefined;
      this.foresee = undefined;
      this.#onStall = undefined;
    }
  }

  /**
   * Runs a read. The queries `ahead` are sent together with its first statement. They follow it by default: on
   * PostgreSQL, the first statement checks whether this process knows the schema.
   */
  read<T>(
    work: Work<T>,
    answers: Pick<SnapshotAnswers<unknown>, 'keepAnswersOf'>,
    ahead: PrefetchedQueries | undefined,
    { sendsAheadFirst = false } = {},
  ): Promise<T> {
    const together = async (tx: Transaction) => {
      const prefetch = () => Promise.allSettled(answers.keepAnswersOf(() => ahead?.(tx) ?? []));
      const early = sendsAheadFirst ? prefetch() : undefined;
      const working = work(tx);
      const [result] = await Promise.all([working, early ?? prefetch()]);
      return result;
    };
    return this.perform(together, { mayWait: true });
  }

  /** Counts the promise as a pending statement. */
  track<T>(promise: Promise<T>): Promise<T> {
    this.#pending++;
    const settled = () => {
      this.#pending--;
      this.#watch();
    };
    promise.then(settled, settled);
    return promise;
  }

  many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.many(shape, sql, params, options));
  }
  one<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.one(shape, sql, params, options));
  }
  insert(sql: string, params?: readonly SqlValue[]) {
    return this.#send(sql, () => this.#connection.insert(sql, params));
  }
  run(sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.run(sql, params, options));
  }

  #send<T>(sql: string, send: () => Eventually<T>): Eventually<T> {
    if (this.#hasEnded) throw new StorageError(ENDED, 'ended');
    if (mayWrite(sql)) this.writes++;
    const answer = send();
    if (!(answer instanceof Promise)) return answer;
    answer.catch(() => {
      this.isBroken = true;
    });
    return this.track(answer);
  }

  #watched<T>(work: Work<T>, tx: Transaction): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#onStall = () => reject(stalled());
      this.#watch();
      (async () => work(tx))().then(resolve, reject);
    });
  }

  /**
   * Work continues within one turn of the event loop after an answer. If it has no pending statement then, it waits for
   * something outside of the transaction.
   */
  #watch(): void {
    if (this.#isWatched || !this.#onStall) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      if (this.#pending === 0) this.#onStall?.();
    });
  }
}

const ENDED =
  'This transaction has ended. Await every statement before the work returns, and do not store the transaction for later use.';
const UNAWAITED = 'Code inside a transaction returned before one of its statements had finished. Await each statement.';

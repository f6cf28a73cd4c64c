import type { Transaction } from '../interface/storage.ts';
import { StorageError } from '../storage-error.ts';
import { SqlAudit } from './audit.ts';
import { SqlBotStorage } from './bot-storage.ts';
import { SqlChannels } from './channels.ts';
import { type Connection, type RowShape, type Sending, type SqlValue, Statements } from './connection.ts';
import { SqlConversations } from './conversations.ts';
import { SqlReminders, SqlScheduledMessages } from './deliveries.ts';
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

/** The transaction of one job. It works until the job ends. */
export interface OpenTransaction {
  readonly tx: Transaction;
  /** Invalidates all stores, so that a forgotten `await` never writes into another transaction. */
  end(): void;
}

export function openTransaction(connection: Connection): OpenTransaction {
  const own = new OwnConnection(connection);
  return { tx: new StoresOf(own) as unknown as Transaction, end: () => own.end() };
}

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

/** A connection that becomes invalid when its job ends. */
class OwnConnection extends Statements implements Connection {
  readonly #connection: Connection;
  #ended = false;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  end(): void {
    this.#ended = true;
  }

  get dialect() {
    return this.#connection.dialect;
  }
  get knownSchema() {
    return this.#connection.knownSchema;
  }
  get concurrency() {
    this.#check();
    return this.#connection.concurrency;
  }
  get keptWords() {
    return this.#connection.keptWords;
  }
  get foresee() {
    this.#check();
    return this.#connection.foresee;
  }

  many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    this.#check();
    return this.#connection.many(shape, sql, params, options);
  }
  one<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    this.#check();
    return this.#connection.one(shape, sql, params, options);
  }
  insert(sql: string, params?: readonly SqlValue[]) {
    this.#check();
    return this.#connection.insert(sql, params);
  }
  run(sql: string, params?: readonly SqlValue[], options?: Sending) {
    this.#check();
    return this.#connection.run(sql, params, options);
  }

  #check(): void {
    if (!this.#ended) return;
    throw new StorageError(
      'This transaction has ended. Await every statement before the work returns, and do not store the transaction for later use.',
      'ended',
    );
  }
}

import type { Transaction } from '../interface/storage.ts';
import { StorageError } from '../storage-error.ts';
import { SqlAlertWords } from './alert-words.ts';
import { SqlAudit } from './audit.ts';
import { SqlAvatars } from './avatars.ts';
import { SqlBotStorage } from './bot-storage.ts';
import { SqlChannels } from './channels.ts';
import { type Connection, type RowShape, type Sending, type SqlValue, Statements } from './connection.ts';
import { SqlConversations } from './conversations.ts';
import { SqlCustomEmoji } from './custom-emoji.ts';
import { SqlDrafts } from './drafts.ts';
import { SqlEdits } from './edits.ts';
import { SqlEmailVerifications } from './email-verifications.ts';
import { SqlEventCursors } from './event-cursors.ts';
import { SqlEvents } from './events.ts';
import { SqlFlags } from './flags.ts';
import { SqlGroups } from './groups.ts';
import { SqlGuestVisibility } from './guest-visibility.ts';
import { SqlInvitations } from './invitations.ts';
import { SqlLinkifiers } from './linkifiers.ts';
import { SqlMessages } from './messages.ts';
import { SqlMutedUsers } from './muted-users.ts';
import { SqlNavigationViews } from './navigation-views.ts';
import { SqlOrganization } from './organization.ts';
import { SqlOutbox } from './outbox.ts';
import { SqlPasswordResets } from './password-resets.ts';
import { SqlPlaygrounds } from './playgrounds.ts';
import { SqlPresences } from './presences.ts';
import { SqlProfileFields } from './profile-fields.ts';
import { SqlPushDevices } from './push-devices.ts';
import { SqlPushNotices } from './push-notices.ts';
import { SqlPushTokens } from './push-tokens.ts';
import { SqlQueues } from './queues.ts';
import { SqlReactions } from './reactions.ts';
import { SqlReadState } from './read-state.ts';
import { SqlReminders } from './reminders.ts';
import { SqlResumableUploads } from './resumable-uploads.ts';
import { SqlRetention } from './retention.ts';
import { SqlSavedSnippets } from './saved-snippets.ts';
import { SqlScheduledMessages } from './scheduled-messages.ts';
import { SqlSignInNetworks } from './sign-in-networks.ts';
import { SqlSubscriptions } from './subscriptions.ts';
import { SqlUploads } from './uploads.ts';
import { SqlUserStatuses } from './user-statuses.ts';
import { SqlUserTopics } from './user-topics.ts';
import { SqlUsers } from './users.ts';

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
  get once() {
    this.#check();
    return this.#connection.once;
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

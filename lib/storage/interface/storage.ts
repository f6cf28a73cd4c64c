import type { Linkifier, ProfileField } from '../../model/organization.ts';
import type { AuditStore } from './audit.ts';
import type { ChannelStore, SubscriptionStore } from './channels.ts';
import type { ConversationStore } from './conversations.ts';
import type { DataExportStore } from './data-exports.ts';
import type { ReminderStore, ScheduledMessageStore } from './deliveries.ts';
import type { EditStore } from './edits.ts';
import type { ErasureStore } from './erasure.ts';
import type { EventCursorStore, EventStore, QueueStore } from './events.ts';
import type { ExportScope, ExportSource } from './export.ts';
import type { FlagStore } from './flags.ts';
import type { GroupStore } from './groups.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { ImportStore } from './imports.ts';
import type { EmailVerificationStore, InvitationStore } from './invitations.ts';
import type { LinkPreviewStore } from './link-previews.ts';
import type { MessageStore, ReactionStore, RetentionStore, SubmessageStore } from './messages.ts';
import type { EmailNoticeStore } from './notifications.ts';
import type {
  CustomEmojiStore,
  OrderedListStore,
  OrganizationPictureStore,
  OrganizationStore,
  PlaygroundStore,
} from './organization.ts';
import type { OutboxStore } from './outbox.ts';
import type {
  AlertWordStore,
  BotStorageStore,
  DraftStore,
  MutedUserStore,
  NavigationViewStore,
  SavedSnippetStore,
  UserTopicStore,
} from './personal.ts';
import type { PushBrowserStore, PushDeviceStore, PushNoticeStore, PushTokenStore } from './push.ts';
import type { ReadStateStore } from './read-state.ts';
import type { ReportStore } from './reports.ts';
import type { SecondFactorStore } from './second-factors.ts';
import type { ResumableUploadStore, UploadStore } from './uploads.ts';
import type {
  AvatarStore,
  ExternalLoginStore,
  GuestVisibilityStore,
  PasswordResetStore,
  PresenceStore,
  SignInNetworkStore,
  UserStatusStore,
  UserStore,
} from './users.ts';

/**
 * A database. Records use the field names of the API. Times are milliseconds since the epoch if the name ends in
 * `_ms`, seconds otherwise. A change that returns a boolean returns false if there is no such record.
 *
 * Inside `read` and `write`, await only the transaction: the work may run again, and other work waits for it. A write
 * that waits for something outside fails (`stalled`). Using a transaction after its work has ended fails too (`ended`).
 */
export interface Storage {
  /** Opens and migrates the database. Throws `StorageError` for a foreign database or one of a newer version. */
  open(options?: OpenOptions): Promise<void>;
  /** Waits for running transactions and closes the database. */
  close(): Promise<void>;
  /** Runs a read on a consistent snapshot. With `extent`, the read does not block other work. */
  read<T>(work: (tx: Transaction) => Promise<T>, extent?: ReadExtent): Promise<T>;
  /**
   * Number of concurrent scans. Callers with more scans should queue them. Default 1.
   * @internal
   */
  readonly scans?: number;
  /**
   * Number of expensive requests that a server runs at a time. Default 1, since they share a process with the database.
   * @internal
   */
  readonly places?: number;
  /** Runs a write transaction. Resolves after the commit is durable. Default kind: `write`. */
  write<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T>;
  /**
   * Like `write`, but always rolled back: for dry runs. Causes no retries of other work and no notifications. IDs
   * that it used may be used again or skipped.
   * @internal
   */
  dryRun<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T>;
  /**
   * Runs a `mark` in the open transaction of the host program, on its connection. The host commits it or rolls it
   * back. A failed write leaves nothing in the transaction. Processes are notified of the commit.
   * @throws TransactionUnsuitable if no such transaction is open, or in another database
   * @internal
   */
  writeWithin?<T>(connection: object, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Number of `append` writes since the storage was opened, and of the transactions that they shared.
   * @internal
   */
  readonly commits?: { readonly groups: number; readonly writes: number } | undefined;
  /** Milliseconds by which the clock of the database is ahead of that of this process. May change. Default 0. */
  readonly clockOffsetMs?: number;
  /**
   * False if the open file has been removed or replaced. Default: true.
   * @internal
   */
  isInPlace?(): Promise<boolean>;
  /**
   * Throws if writes would fail now, for example on a full disk. Called often; writes little or nothing.
   * @internal
   */
  checkWritable?(): Promise<void>;
  /**
   * Removes what deleted rows leave in a log file. Throws if it is in use: try again later.
   * @param options `words`: also from the search index, which takes seconds for a million messages
   * @internal
   */
  forget?(options?: { words?: boolean }): Promise<void>;
  /**
   * Runs work on one snapshot of the rows that an export contains. Does not block other work. Not for `:memory:`.
   * @internal
   */
  exportRows?<T>(scope: ExportScope, work: (source: ExportSource) => Promise<T>): Promise<T>;
  /**
   * Calls the listener after another process may have committed: within a second if it added events and `isAwaited`
   * returns true, as it does by default. Later, or with the next commit, if `isAwaited` returns false.
   * @internal
   */
  onForeignCommit(listener: (commit: ForeignCommit) => void, isAwaited?: () => boolean): void;
}

/** `large`: returns thousands of rows. `scan`: reads many rows to find a few. */
export type ReadExtent = 'large' | 'scan';

/** Options of a read-only transaction. */
export interface Reading {
  /** Default in a step of an operation: the extent of the operation. */
  extent?: ReadExtent | undefined;
}

/** A commit of another process. A database that cannot distinguish sets both `changes` and `dueWork`. */
export interface ForeignCommit {
  /** It added events, or changed something that processes cache. */
  changes: boolean;
  /** It added background work, which may be due earlier than any other. */
  dueWork: boolean;
  /** The database continues from an older state than this process may have read: a failover or a restored backup. */
  isRewound?: boolean;
  /** The organization has moved to another database: this process has just been refused. */
  isMoved?: boolean;
  /** A warning to log for the operator. */
  warning?: string;
}

/**
 * Kinds of writes. The effects of operations have the same names.
 * - `write`: exclusive
 * - `mark`: commutes with writes of all kinds but `write`, and may run concurrently with them
 * - `append`: a mark with a few small statements, which does not change the state of a reader. Many share one commit
 * - `silent`: a mark that adds no event and changes nothing that processes cache. Other processes are not notified,
 *   unless it adds background work
 */
export type WriteKind = 'write' | 'mark' | 'append' | 'silent';

export interface OpenOptions {
  /**
   * Default true. With false, a database that needs a migration is refused (`older-version`, `empty`) and not changed.
   * `'new'` migrates only an empty database.
   */
  migrate?: boolean | 'new';
  /** Called after each migration step. */
  onMigration?: (step: MigrationStep) => void;
}

/** Progress of a migration: it has been applied, or has filled some rows. */
export interface MigrationStep {
  /** Number of the migration. */
  version: number;
  /** Name of the migration. */
  name: string;
  /** Whether the database was empty when it was opened. */
  isNew: boolean;
  /** Rows done and rows in total, for a migration that fills rows. Absent otherwise. */
  filled?: { done: number; total: number };
}

/** One store for each kind of record; each has a file in this folder. */
export interface Transaction {
  organization: OrganizationStore;
  linkifiers: OrderedListStore<Linkifier>;
  playgrounds: PlaygroundStore;
  profileFields: OrderedListStore<ProfileField>;
  avatars: AvatarStore;
  users: UserStore;
  passwordResets: PasswordResetStore;
  secondFactors: SecondFactorStore;
  signInNetworks: SignInNetworkStore;
  externalLogins: ExternalLoginStore;
  presences: PresenceStore;
  guestVisibility: GuestVisibilityStore;
  invitations: InvitationStore;
  emailVerifications: EmailVerificationStore;
  userStatuses: UserStatusStore;
  mutedUsers: MutedUserStore;
  alertWords: AlertWordStore;
  botStorage: BotStorageStore;
  groups: GroupStore;
  channels: ChannelStore;
  subscriptions: SubscriptionStore;
  conversations: ConversationStore;
  userTopics: UserTopicStore;
  messages: MessageStore;
  scheduledMessages: ScheduledMessageStore;
  reminders: ReminderStore;
  readState: ReadStateStore;
  retention: RetentionStore;
  flags: FlagStore;
  edits: EditStore;
  reactions: ReactionStore;
  submessages: SubmessageStore;
  drafts: DraftStore;
  savedSnippets: SavedSnippetStore;
  navigationViews: NavigationViewStore;
  customEmoji: CustomEmojiStore;
  organizationPictures: OrganizationPictureStore;
  uploads: UploadStore;
  resumableUploads: ResumableUploadStore;
  pushDevices: PushDeviceStore;
  pushTokens: PushTokenStore;
  pushBrowsers: PushBrowserStore;
  pushNotices: PushNoticeStore;
  emailNotices: EmailNoticeStore;
  events: EventStore;
  eventCursors: EventCursorStore;
  queues: QueueStore;
  outbox: OutboxStore;
  idempotency: IdempotencyStore;
  imports: ImportStore;
  audit: AuditStore;
  reports: ReportStore;
  linkPreviews: LinkPreviewStore;
  erasure: ErasureStore;
  dataExports: DataExportStore;
}

import type { AcquaintanceStore } from './acquaintances.ts';
import type { AddressProofStore } from './address-proofs.ts';
import type { AlertWordStore } from './alert-words.ts';
import type { AuditStore } from './audit.ts';
import type { AvatarStore } from './avatars.ts';
import type { BotStorageStore } from './bot-storage.ts';
import type { ChannelStore } from './channels.ts';
import type { ConversationStore } from './conversations.ts';
import type { CustomEmojiStore } from './custom-emoji.ts';
import type { DraftStore } from './drafts.ts';
import type { EditStore } from './edits.ts';
import type { EventCursorStore } from './event-cursors.ts';
import type { EventStore } from './events.ts';
import type { FlagStore } from './flags.ts';
import type { GroupStore } from './groups.ts';
import type { InvitationStore } from './invitations.ts';
import type { LinkifierStore } from './linkifiers.ts';
import type { MessageStore } from './messages.ts';
import type { MutedUserStore } from './muted-users.ts';
import type { NavigationViewStore } from './navigation-views.ts';
import type { OrganizationStore } from './organization.ts';
import type { OutboxStore } from './outbox.ts';
import type { PasswordResetStore } from './password-resets.ts';
import type { PlaygroundStore } from './playgrounds.ts';
import type { PresenceStore } from './presences.ts';
import type { ProfileFieldStore } from './profile-fields.ts';
import type { PushDeviceStore } from './push-devices.ts';
import type { PushNoticeStore } from './push-notices.ts';
import type { PushTokenStore } from './push-tokens.ts';
import type { QueueStore } from './queues.ts';
import type { ReactionStore } from './reactions.ts';
import type { ReadStateStore } from './read-state.ts';
import type { ReminderStore } from './reminders.ts';
import type { ResumableUploadStore } from './resumable-uploads.ts';
import type { RetentionStore } from './retention.ts';
import type { SavedSnippetStore } from './saved-snippets.ts';
import type { ScheduledMessageStore } from './scheduled-messages.ts';
import type { SignInNetworkStore } from './sign-in-networks.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import type { UploadStore } from './uploads.ts';
import type { UserStatusStore } from './user-statuses.ts';
import type { UserTopicStore } from './user-topics.ts';
import type { UserStore } from './users.ts';

/**
 * What the engine asks of a store, in the words of the domain. Records carry the wire's own field
 * names; times are milliseconds since the epoch where the name ends in `_ms`, seconds otherwise.
 * Inside `read` and `write` nothing but the transaction is awaited: the work may be repeated, and others
 * wait for it. A write that waits for something else fails (`stalled`), and so does whatever uses a
 * transaction after its work has ended (`ended`).
 */
export interface Storage {
  /** Brings the database up to date; refuses one that is not ours or is newer than this code. */
  open(options?: OpenOptions): Promise<void>;
  /** Waits for what is under way, and lets the database go. */
  close(): Promise<void>;
  /**
   * One consistent snapshot of what is committed. One of some extent is done so that others need not wait for it.
   * `ahead` is heeded where asking several things at once is quicker than one after another.
   */
  read<T>(work: (tx: Transaction) => Promise<T>, extent?: ReadExtent, ahead?: Ahead): Promise<T>;
  /** How many scans are done at a time; whoever asks for more had better wait in a line of their own. Default 1. */
  readonly scans?: number;
  /** Everything or nothing; resolves after the commit is durable. Alone among the writers, unless the options say otherwise. */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * As `write`, and then all of it is rolled back, also where the work succeeded: to see what it would do. No
   * other work is done again for it, and nobody is told. Ids that it was given may be given again, or never.
   */
  rehearse<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Small writes that were committed since the storage was opened, and in how many transactions: many share one. */
  readonly commits?: { readonly groups: number; readonly writes: number } | undefined;
  /** Milliseconds to add to the clock of this process for the database's. Changes while the storage is open. Default 0. */
  readonly clockOffsetMs?: number;
  /** Whether others find at its place what this process has open; a file may have been removed or replaced since. Default: yes. */
  isInPlace?(): Promise<boolean>;
  /** Throws where nothing could be written at the moment, such as to a full disk. It is asked often, and writes little or nothing. */
  checkWritable?(): Promise<void>;
  /** Calls back when another process may have committed something, within a second. */
  onForeignCommit(listener: (commit: ForeignCommit) => void): void;
}

/** How far a read goes: to thousands of rows that were asked for, or through whatever there is to find a few. */
export type ReadExtent = 'large' | 'scan';

/**
 * Asks what the work will ask as well, before the work begins, so that all of it goes on its way with the first thing
 * that the work asks. It throws nothing; what cannot be answered fails where the work asks it.
 */
export type Ahead = (tx: Transaction) => readonly Promise<unknown>[];

/** How a transaction reads that only reads. */
export interface Reading {
  /** How far it may go; for a step of an operation as the operation says where it is not given. */
  extent?: ReadExtent | undefined;
  ahead?: Ahead | undefined;
}

/** What another process may have committed. An engine that cannot tell says both. */
export interface ForeignCommit {
  /** Events, or what is remembered in memory. */
  changes: boolean;
  /** Work that falls due, maybe earlier than anything before. */
  dueWork: boolean;
  /** The database continues from an older state than this process may have read: a failover or a restored backup. */
  isRewound?: boolean;
  /** A message for the operator, to be logged. */
  warning?: string;
}

export interface WriteOptions {
  /** Commutes with other shared work and may run beside it (flags, marking as read). */
  shared?: boolean;
  /** Of shared work: a few statements that read and add a little (sending, reactions), so that many may commit together. */
  brief?: boolean;
  /** The work reads nothing of the events that it appends, so they may be appended with the commit. Brief work never does. */
  appendsLast?: boolean;
  /** No event, nothing that is remembered in memory: other processes need not hear of it. */
  silent?: boolean;
}

export interface OpenOptions {
  /**
   * Default true. A database that must not be migrated and is not up to date is refused (`older-version`, `empty`)
   * and left as it is; `new` migrates only an empty one.
   */
  migrate?: boolean | 'new';
  /** Told of each step that brings the database up to date. */
  onMigration?: (step: MigrationStep) => void;
}

/** A migration that has been applied, or a part of the rows it fills. */
export interface MigrationStep {
  /** Number of the migration. */
  version: number;
  /** What it is about, in words. */
  name: string;
  /** Whether the database was empty when it was opened. */
  isNew: boolean;
  /** How far a migration that goes through rows has come: rows that are done, and all there are. Else absent. */
  filled?: { done: number; total: number };
}

/** One store for each noun; each has a file beside this one. */
export interface Transaction {
  organization: OrganizationStore;
  linkifiers: LinkifierStore;
  playgrounds: PlaygroundStore;
  profileFields: ProfileFieldStore;
  avatars: AvatarStore;
  users: UserStore;
  passwordResets: PasswordResetStore;
  signInNetworks: SignInNetworkStore;
  presences: PresenceStore;
  acquaintances: AcquaintanceStore;
  invitations: InvitationStore;
  addressProofs: AddressProofStore;
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
  drafts: DraftStore;
  savedSnippets: SavedSnippetStore;
  navigationViews: NavigationViewStore;
  customEmoji: CustomEmojiStore;
  uploads: UploadStore;
  resumableUploads: ResumableUploadStore;
  pushDevices: PushDeviceStore;
  pushTokens: PushTokenStore;
  pushNotices: PushNoticeStore;
  events: EventStore;
  eventCursors: EventCursorStore;
  queues: QueueStore;
  outbox: OutboxStore;
  audit: AuditStore;
}

/**
 * Parlance: team chat you can embed. This is the public surface; everything else may change without notice.
 *
 * @example
 * import { openChat, sqlite } from 'parlance-chat';
 * const chat = await openChat({ storage: sqlite('chat.db') });
 */

export type { Clock } from './adapters/clock.ts';
export type { Directory, DirectoryPerson, WrongDirectoryPassword } from './adapters/directory.ts';
export type { AppendableStore, ByteRange, FileStore } from './adapters/files.ts';
export { HookFailed, type Hooks, type MessageSender, type ProposedMessage, type Verdict } from './adapters/hooks.ts';
export type { AvatarPicture, EmojiPicture, Images, PictureFacts, ThumbnailSize } from './adapters/images.ts';
export { type LdapDirectory, type LdapEntry, type LdapOptions, ldap } from './adapters/ldap.ts';
export type { LinkPreviewOptions } from './adapters/link-pages.ts';
export { localFiles } from './adapters/local-files.ts';
export type { Logger } from './adapters/logger.ts';
export { type Email, type Mail, type Replies, type SmtpOptions, smtp, UndeliverableEmail } from './adapters/mail.ts';
export {
  type PlainAnswer,
  type PlainNotification,
  type PushAnswer,
  type PushRegistration,
  type PushRelay,
  PushRelayError,
  type PushRelayOptions,
  type PushRelayProblem,
  type PushRequest,
  type PushStatus,
  type PushToken,
  pushRelay,
} from './adapters/push-relay.ts';
export { type S3Credentials, type S3Options, s3Files } from './adapters/s3-files.ts';
export type { WebhookOptions } from './adapters/webhook-calls.ts';
export type { DataOf, ErrorData } from './base/error-data.ts';
export {
  BadImage,
  ChatError,
  type ErrorCode,
  type GroupObjection,
  type InvitationFailure,
  type InvitationProblem,
  isChatError,
  RateLimitHit,
  Unauthorized,
} from './base/errors.ts';
export type { AbortSignalLike, BlobLike } from './base/platform-types.ts';
export type { RereadableContent, StreamedFile, UploadMemory } from './base/schemas.ts';
export { VERSION } from './base/version.ts';
export type { UserReference } from './chat/accounts.ts';
export type {
  CallOptions,
  ConnectionState,
  EventTransport,
  RegisterOptions,
  UploadOptions,
} from './chat/call-options.ts';
export type {
  AnonymousOptions,
  AuditLogOptions,
  Chat,
  LocalSession,
  SpecialPermission,
  StartOptions,
  TokenOptions,
} from './chat/chat.ts';
export type { ChatOptions } from './chat/chat-options.ts';
export type { DryRun, DryRunEvent, DryRunSideEffect, Recipients } from './chat/consequences.ts';
export type { NewOrganization, OrganizationOwner } from './chat/create-organization.ts';
export type { DeliverableName, Delivery, DeliveryAnswer, StoredCall } from './chat/deliver.ts';
export type { DownloadedFile, DownloadOptions } from './chat/download.ts';
export type {
  CursorOptions,
  EventListener,
  EventSubscription,
  SubscriptionOptions,
} from './chat/event-subscription.ts';
export type { NarrowParam } from './chat/generated.ts';
export type { MailEnvelope, MailResult } from './chat/mail/receive-mail.ts';
export type {
  ChatNotification,
  NotificationListener,
  NotificationOptions,
  NotificationReason,
  NotifiedMessage,
} from './chat/notifications.ts';
export { EventGap, type ObservedEvent, type ObserveOptions } from './chat/observed-events.ts';
export type { CursorState, EventsOptions } from './chat/observers.ts';
export { openChat } from './chat/open-chat.ts';
export { openTenants } from './chat/open-tenants.ts';
export type {
  ChatEvent,
  DryRuns,
  EventType,
  FetchType,
  InitialState,
  ListenOptions,
  OperationName,
  ParametersOf,
  QueuedEvent,
  QueuePlace,
  Session,
} from './chat/session.ts';
export type {
  MirroredField,
  SyncAction,
  SyncChange,
  SyncChannel,
  SyncGroup,
  SyncLists,
  SyncOptions,
  SyncResult,
  SyncRoom,
  SyncUser,
} from './chat/sync/types.ts';
export type { TenantLease, Tenants, TenantsOptions, TenantsState } from './chat/tenants.ts';
export { type ConnectOptions, connect, Unreachable } from './client/client.ts';
export type { ExportManifest } from './domains/exports/format.ts';
export type { ExportStep } from './domains/exports/write-export.ts';
export { users } from './domains/users/names.ts';
export type { Explanation, Step } from './engine/explanation.ts';
export type { Capability } from './events/client.ts';
export { importChat } from './import/import-chat.ts';
export { type ImportOrganizationOptions, importOrganization } from './import/import-organization.ts';
export { mattermostExport } from './import/mattermost.ts';
export { parlanceExport } from './import/parlance.ts';
export type { ImportKind, ImportOptions, ImportResult, RejectedRow } from './import/run.ts';
export { slackExport } from './import/slack.ts';
export { BadExport, type ImportSource } from './import/source.ts';
export { zulipExport } from './import/zulip.ts';
export { type BackUpOptions, backUp, type KeepingStep } from './maintenance/back-up.ts';
export { type BackedUpFiles, type Manifest, manifestOf } from './maintenance/backup-file.ts';
export { type CheckOptions, check } from './maintenance/check.ts';
export type { Finding } from './maintenance/checks/check.ts';
export { type ExportOptions, exportChat, exportUser } from './maintenance/export-chat.ts';
export { cancelMove, type Move, type MoveOptions, type MovePlaces, moveOrganization } from './maintenance/move.ts';
export { type MigrationPlan, type PlannedMigration, planMigration } from './maintenance/plan-migration.ts';
export { type RestoreOptions, restore } from './maintenance/restore.ts';
export type { Adopt } from './rules/adoption.ts';
export type { NarrowOperator } from './rules/narrow.ts';
export type { PrivateNetworks } from './rules/public-addresses.ts';
export type { AuditEntry } from './storage/interface/audit.ts';
export type { OutboxItem } from './storage/interface/outbox.ts';
export type { MigrationStep, Storage } from './storage/interface/storage.ts';
export type { Keepable } from './storage/maintenance/tables.ts';
export type { SqliteDriverName } from './storage/sqlite/driver.ts';
export { type SqliteOptions, sqlite } from './storage/sqlite/sqlite.ts';
export { StorageError, type StorageErrorReason } from './storage/storage-error.ts';

import { GUEST } from '../../rules/roles.ts';
import type { ExportScope } from '../interface/export.ts';
import type { SqlValue } from '../sql/connection.ts';

/* Which tables and columns an export contains, and who may get which rows. A test requires a decision for each table. */

/** Stored by an import in place of a column that exports do not contain. */
export type Replacement = SqlValue | 'new secret';

export interface ExportRule {
  /** What a row is. For the documents. */
  readonly is: string;
  /** Columns that no export contains: secrets, and values of the database. With what an import stores instead. */
  readonly without?: Readonly<Record<string, Replacement>>;
  /** Columns with JSON texts, exported as values. */
  readonly json?: readonly string[];
  /** Columns with 0 and 1, exported as false and true. */
  readonly flags?: readonly string[];
  /** Condition for the rows of a scope that is not `full`. */
  rows(scope: PartialScope): string;
  /** Fewer columns of rows that belong to others. `owner`: the column of the user. Default: all rows do. */
  readonly ofOthers?: { readonly owner?: string; columns(scope: PartialScope): readonly string[] };
  /** Only in the export of one person. */
  readonly isOnlyForPerson?: boolean;
}

const ALL = '1 = 1';
const NONE = '1 = 0';

/** Conditions for the rows that a scope contains. */
export class PartialScope {
  constructor(readonly scope: Exclude<ExportScope, 'full'>) {}

  get person(): number | undefined {
    return typeof this.scope === 'object' ? this.scope.user_id : undefined;
  }

  /** Data that all members can see. */
  get shared(): string {
    return this.person === undefined ? ALL : NONE;
  }

  /** Rows of users whose private data the scope contains. */
  owns(column: string): string {
    if (this.scope === 'public') return NONE;
    if (this.person !== undefined) return `${column} = ${Math.trunc(this.person)}`;
    return `${column} IN (SELECT w.id FROM users w WHERE FIND(w.settings, '"allow_private_data_export":true') > 0)`;
  }

  isPublicChannel(column: string): string {
    return `EXISTS (SELECT 1 FROM channels h WHERE h.id = ${column} AND h.invite_only = 0)`;
  }

  channels(): string {
    if (this.person === undefined)
      return `invite_only = 0 OR EXISTS (
        SELECT 1 FROM subscription_periods p WHERE p.channel_id = channels.id AND ${this.owns('p.user_id')})`;
    // The person cannot see a private channel after leaving it. A guest sees no channel then.
    return `EXISTS (SELECT 1 FROM subscriptions s JOIN users w ON w.id = s.user_id
        WHERE s.channel_id = channels.id AND ${this.owns('s.user_id')}
          AND (s.active = 1 OR channels.invite_only = 0 AND w.role < ${GUEST}))`;
  }

  messages(message = 'messages'): string {
    const isDirect = `EXISTS (SELECT 1 FROM conversation_participants p
      WHERE p.conversation_id = ${message}.conversation_id AND ${this.owns('p.user_id')})`;
    if (this.person !== undefined) return `(${this.owns(`${message}.sender_id`)} OR ${isDirect})`;
    const isPublic = `EXISTS (SELECT 1 FROM conversations c JOIN channels h ON h.id = c.channel_id
      WHERE c.id = ${message}.conversation_id AND h.invite_only = 0)`;
    if (this.scope === 'public') return isPublic;
    // The messages that a user could read: while subscribed, or before, if the channel shows its history. A moved message
    // may have come to the channel after the user left it.
    const isRead = `EXISTS (SELECT 1 FROM conversations c
      JOIN channels h ON h.id = c.channel_id JOIN subscription_periods p ON p.channel_id = h.id
      WHERE c.id = ${message}.conversation_id AND ${this.owns('p.user_id')}
        AND (h.history_public_to_subscribers = 1 AND p.to_message_id IS NULL
          OR ${message}.id > p.after_message_id AND (p.to_message_id IS NULL OR ${message}.id <= p.to_message_id
            AND ${message}.last_moved_timestamp IS NULL AND COALESCE(c.moved_up_to, 0) < ${message}.id)))`;
    return `(${isPublic} OR ${isDirect} OR ${isRead})`;
  }

  ofMessage(column: string): string {
    return `EXISTS (SELECT 1 FROM messages m WHERE m.id = ${column} AND ${this.messages('m')})`;
  }

  ofConversation(column: string): string {
    return `EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = ${column} AND ${this.messages('m')})`;
  }
}

const shared = (scope: PartialScope) => scope.shared;
const everybody = () => ALL;
const owned =
  (column = 'user_id') =>
  (scope: PartialScope) =>
    scope.owns(column);
const either = (...conditions: string[]) => conditions.map((condition) => `(${condition})`).join(' OR ');
/** What the person did, or what belongs to messages that the scope contains. */
const ofMessages = (author: string) => (scope: PartialScope) =>
  scope.person === undefined ? scope.ofMessage('message_id') : scope.owns(author);

const UNKNOWN_NAME = ['id', 'full_name', 'is_active', 'bot_type'];
const PUBLIC_PROFILE = [
  ...UNKNOWN_NAME,
  ...['delivery_email', 'role', 'bot_owner_id', 'is_system_bot', 'timezone', 'joined_ms', 'profile_data'],
  ...['avatar_source', 'avatar_version', 'email_visibility'],
];

/** A conversation with a person: who takes part in it. */
const WITH_PERSON = (scope: PartialScope) => `users.id IN (
  SELECT o.user_id FROM conversation_participants p JOIN conversation_participants o
    ON o.conversation_id = p.conversation_id WHERE ${scope.owns('p.user_id')})`;

export const EXPORTED: Readonly<Record<string, ExportRule>> = {
  organization: {
    is: 'The organization: name, description and settings. Without settings that have their default.',
    without: { secret: 'new secret', required_schema: 0 },
    json: ['settings'],
    rows: shared,
  },
  users: {
    is: 'Accounts: people and bots. `role`: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
    without: { password_hash: null, ended_logins: null, sign_in_unlocks: 0 },
    json: ['settings', 'bot_service', 'profile_data'],
    flags: ['is_active', 'is_system_bot', 'can_change_user_emails', 'is_email_verified'],
    rows: (scope) =>
      scope.person === undefined
        ? ALL
        : either(
            scope.owns('users.id'),
            scope.owns('users.bot_owner_id'),
            `users.id IN (SELECT u.muted_user_id FROM muted_users u WHERE ${scope.owns('u.user_id')})`,
            WITH_PERSON(scope),
          ),
    ofOthers: { owner: 'id', columns: ({ person }) => (person === undefined ? PUBLIC_PROFILE : UNKNOWN_NAME) },
  },
  user_groups: {
    is: 'User groups. Groups of a role have the names `role:…`, and their members follow from the role.',
    json: ['settings'],
    flags: ['is_system_group', 'deactivated'],
    rows: (scope) =>
      either(
        scope.shared,
        `EXISTS (SELECT 1 FROM group_members g WHERE g.group_id = user_groups.id AND ${scope.owns('g.user_id')})`,
      ),
  },
  group_members: { is: 'Direct members of user groups.', rows: (scope) => either(scope.shared, scope.owns('user_id')) },
  group_subgroups: { is: 'Groups inside of groups.', rows: shared },
  channel_folders: { is: 'Folders of channels.', flags: ['is_archived'], rows: shared },
  channels: {
    is: 'Channels. `invite_only`: private.',
    json: ['settings'],
    flags: ['invite_only', 'history_public_to_subscribers', 'is_web_public', 'is_archived', 'is_default'],
    rows: (scope) => scope.channels(),
  },
  subscriptions: {
    is: 'Who is or was subscribed to which channel, with the settings of the user for it.',
    flags: [
      ...['active', 'is_muted', 'pin_to_top', 'desktop_notifications', 'audible_notifications', 'push_notifications'],
      ...['email_notifications', 'wildcard_mentions_notify'],
    ],
    rows: (scope) =>
      either(
        scope.owns('user_id'),
        scope.person === undefined ? scope.isPublicChannel('subscriptions.channel_id') : NONE,
      ),
    ofOthers: { owner: 'user_id', columns: () => ['user_id', 'channel_id', 'active'] },
  },
  subscription_periods: {
    is: 'The messages that a user received while subscribed. `after_seq` and `to_seq` are positions in the event log.',
    rows: owned(),
  },
  conversations: {
    is: 'Topics of channels, and direct conversations (without `channel_id`).',
    rows: (scope) =>
      scope.person === undefined
        ? scope.ofConversation('conversations.id')
        : either(
            `EXISTS (SELECT 1 FROM conversation_participants p
              WHERE p.conversation_id = conversations.id AND ${scope.owns('p.user_id')})`,
            `EXISTS (SELECT 1 FROM channels WHERE channels.id = conversations.channel_id AND (${scope.channels()}))
              AND ${scope.ofConversation('conversations.id')}`,
          ),
  },
  conversation_participants: {
    is: 'Participants of direct conversations.',
    rows: (scope) => `EXISTS (SELECT 1 FROM conversation_participants p
      WHERE p.conversation_id = conversation_participants.conversation_id AND ${scope.owns('p.user_id')})`,
  },
  messages: {
    is: 'Messages: Markdown in `content`, HTML in `rendered_content`, seconds in `timestamp`.',
    flags: ['is_me_message', 'read_by_sender'],
    rows: (scope) => scope.messages(),
  },
  edits: {
    is: 'Earlier versions of messages, and moves. Without `message_id`: a move of a conversation up to a message.',
    rows: (scope) =>
      scope.person === undefined
        ? `message_id IS NOT NULL AND ${scope.ofMessage('edits.message_id')}
            AND ${scope.ofConversation('edits.prev_conversation_id')} AND ${scope.ofConversation('edits.conversation_id')}`
        : `message_id IS NOT NULL AND prev_content IS NOT NULL AND EXISTS (
            SELECT 1 FROM messages m WHERE m.id = edits.message_id AND ${scope.owns('m.sender_id')})`,
    ofOthers: {
      columns: ({ person }) =>
        person === undefined
          ? [
              ...['id', 'message_id', 'conversation_id', 'prev_conversation_id', 'editor_id', 'timestamp'],
              ...['prev_content', 'prev_rendered_content', 'prev_topic', 'topic', 'prev_channel_id', 'channel_id'],
            ]
          : ['id', 'message_id', 'editor_id', 'timestamp', 'prev_content'],
    },
  },
  reactions: { is: 'Reactions to messages.', rows: ofMessages('user_id') },
  submessages: {
    is: 'Votes and other changes of polls and to-do lists. `content` is JSON.',
    rows: ofMessages('sender_id'),
  },
  message_flags: {
    is: 'Flags of a message for a user. `bits`: 1 starred, 2 collapsed, 4 mentioned, 8 mentioned by a wildcard, 16 has an alert word, 32 unread again.',
    rows: owned(),
  },
  read_ranges: {
    is: 'Ranges of messages that a user has read in a conversation. A message is also read if it is older than `floor` of the subscription.',
    rows: owned(),
  },
  uploads: {
    is: 'Uploaded files. `files.jsonl` has the name of each in the export.',
    flags: ['is_complete'],
    rows: (scope) =>
      `is_complete = 1 AND (${either(
        scope.owns('owner_id'),
        `EXISTS (SELECT 1 FROM message_attachments a JOIN messages m ON m.id = a.message_id
          WHERE a.upload_id = uploads.id AND ${scope.messages('m')})`,
      )})`,
  },
  message_attachments: {
    is: 'The messages that link to an uploaded file.',
    rows: (scope) => scope.ofMessage('message_attachments.message_id'),
  },
  custom_emoji: { is: 'Custom emoji.', flags: ['deactivated'], rows: shared },
  emoji_images: { is: 'Pictures of custom emoji, in base64.', rows: shared },
  avatar_images: { is: 'Pictures of users, in base64.', rows: (scope) => either(scope.shared, scope.owns('user_id')) },
  organization_pictures: { is: 'Icon and logos of the organization, in base64.', rows: shared },
  linkifiers: { is: 'Patterns that become links in messages.', rows: shared },
  playgrounds: { is: 'Playgrounds for code blocks.', rows: shared },
  profile_fields: {
    is: 'Fields of user profiles. Their values are in `profile_data` of users.',
    flags: ['display_in_profile_summary', 'required', 'editable_by_user'],
    rows: everybody,
  },
  user_statuses: { is: 'Status of users.', rows: (scope) => either(scope.shared, scope.owns('user_id')) },
  muted_users: { is: 'Muted and blocked users.', flags: ['is_blocked'], rows: owned() },
  alert_words: { is: 'Alert words of users.', rows: owned() },
  user_topics: {
    is: 'Topics that a user has muted (`visibility_policy` 1), unmuted (2) or followed (3).',
    rows: owned(),
  },
  scheduled_messages: {
    is: 'Scheduled messages.',
    json: ['recipient_ids'],
    flags: ['read_by_sender'],
    rows: owned('sender_id'),
  },
  reminders: { is: 'Reminders of messages.', rows: owned() },
  drafts: { is: 'Drafts.', json: ['recipients'], rows: owned() },
  saved_snippets: { is: 'Saved snippets.', rows: owned() },
  navigation_views: { is: 'Views that a user has pinned or hidden.', flags: ['is_pinned'], rows: owned() },
  bot_storage: { is: 'Data that bots have stored.', rows: owned() },
  bot_storage_sizes: { is: 'Size of the stored data of each bot.', rows: owned() },
  reports: {
    is: 'Reports of messages.',
    rows: (scope) => (scope.person === undefined ? NONE : scope.owns('reporter_id')),
  },
  audit_log: {
    is: 'The audit log.',
    json: ['details'],
    flags: ['is_refusal'],
    rows: (scope) => (scope.person === undefined ? NONE : scope.owns('user_id')),
  },
  imported_records: {
    is: 'Records that came from another chat, so that a repeated import finds them. `key` is a digest.',
    rows: () => NONE,
  },
  external_logins: {
    is: 'Logins of users at identity providers: `issuer`, and the ID of the user there (`subject`).',
    rows: owned(),
  },
  presences: { is: 'When a user was last online.', isOnlyForPerson: true, rows: owned() },
  sign_in_networks: { is: 'Networks from which a user has signed in.', isOnlyForPerson: true, rows: owned() },
  event_queues: {
    is: 'Clients that are connected now.',
    without: { id: null, holder: null, narrow: null, options: null, rooms: null, start_seq: 0, acked_seq: 0 },
    json: ['event_types'],
    flags: ['all_public_streams'],
    isOnlyForPerson: true,
    rows: owned(),
  },
  push_devices: {
    is: 'Phones that get push notifications.',
    without: { push_public_key: null, relay_device_id: null },
    isOnlyForPerson: true,
    rows: owned(),
  },
  push_tokens: {
    is: 'Phones with older apps that get push notifications.',
    without: { token: null },
    isOnlyForPerson: true,
    rows: owned(),
  },
  push_browsers: {
    is: 'Browsers that get push notifications.',
    without: { endpoint: null, public_key: null, auth_secret: null, credentials: null, login_id: null },
    isOnlyForPerson: true,
    rows: owned(),
  },
  email_bounces: {
    is: 'Addresses of a user that a mail server has refused.',
    isOnlyForPerson: true,
    rows: owned(),
  },
};

/** Tables that exports do not contain, with the reason. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  migrations: 'An import makes the tables.',
  unfinished_fills: 'Exports need a finished migration.',
  events: 'Connected clients load their data again.',
  event_recipients: 'Belongs to the events.',
  event_cursors: 'Belongs to the events.',
  event_log: 'Belongs to the events.',
  outbox: 'Work that waits: the old server does it.',
  idempotency_keys: 'Answers for repeated requests, kept for a day.',
  invitation_offers: 'Invitations contain secrets. Invite again.',
  invitations: 'Invitations contain secrets. Invite again.',
  invitations_sent: 'Counts for the limit of invitations.',
  password_resets: 'Links contain secrets.',
  address_proofs: 'Links contain secrets.',
  resumable_uploads: 'Unfinished uploads.',
  upload_space: 'An import counts it.',
  message_retention: 'The next time of a check.',
  presence_updates: 'A counter of presences.',
  push_notices: 'Notifications of phones that are not registered at the new server.',
  email_periods: 'E-mails that wait: the old server sends them.',
  email_notices: 'E-mails that wait: the old server sends them.',
  sent_deliveries: 'Scheduled messages of the last days.',
  bot_notices: 'Times of notices to owners of bots.',
  data_exports: 'Exports that administrators have made over the API.',
  second_factors: 'Secrets. Users set them up again.',
  email_counts: 'Counts for the limits of e-mails.',
  digests: 'The time of the next weekly digest.',
  link_previews: 'A cache of one day.',
  move_state: 'Exists during a move.',
  move_changes: 'Exists during a move.',
};

import type {
  AvatarImage,
  EmailVisibility,
  LastPresence,
  NewUser,
  Presence,
  Role,
  User,
  UserPatch,
  UserStatus,
} from '../../model/users.ts';

type UserMirror = Pick<User, 'id' | 'external_id' | 'delivery_email' | 'full_name' | 'role' | 'is_active'>;

export interface UserStore {
  byId(id: number): Promise<User | undefined>;
  /** Those that exist, ordered by id. */
  byIds(ids: readonly number[]): Promise<User[]>;
  /** Senders of these messages and participants of their direct conversations, ordered by id. */
  ofMessages(messageIds: readonly number[]): Promise<User[]>;
  /** By real address, without regard to case. */
  byEmail(email: string): Promise<User | undefined>;
  byEmails(emails: readonly string[]): Promise<User[]>;
  byExternalIds(externalIds: readonly string[]): Promise<User[]>;
  /** The fields of these accounts that a host mirrors. */
  mirrorsOf(externalIds: readonly string[]): Promise<UserMirror[]>;
  /** At most `limit` active accounts with an external ID after this one, in their order. */
  mirrored(after: string, limit: number): Promise<User[]>;
  /** Users with these full names, without regard to case. Names are not unique. Ordered by ID. */
  byNames(names: readonly string[]): Promise<User[]>;
  /** Like `byNames`, also ignoring Unicode compatibility forms. For organizations with unique names. */
  withNamesLike(names: readonly string[]): Promise<User[]>;
  /** Active accounts that joined after `after` and up to `upTo`, in milliseconds. Ordered by ID. */
  joinedBetween(after: number, upTo: number): Promise<User[]>;
  /** At most `limit` human users with one of these e-mail visibilities, ordered by ID. */
  withEmailVisibility(visibilities: readonly EmailVisibility[], limit: number): Promise<User[]>;
  /** At most `limit` bots without system bots, ordered by ID. */
  bots(limit: number): Promise<User[]>;
  /** Accounts changed after `version`, including system bots. 0: all. Ordered by ID. */
  changedSince(version: number): Promise<User[]>;
  /** The accounts among these that changed after `version`, with their versions. */
  changedAmong(ids: readonly number[], version: number): Promise<Pick<User, 'id' | 'version'>[]>;
  create(user: NewUser): Promise<User>;
  update(id: number, patch: UserPatch): Promise<User>;
  /** Deactivates active accounts. They no longer count as subscribers. */
  deactivate(ids: readonly number[]): Promise<void>;
  /** Deletes the values of a custom profile field for all users, or only these values. */
  dropProfileValues(fieldId: number, values?: readonly string[]): Promise<void>;
  createMany(users: readonly NewUser[]): Promise<User[]>;
  countActive(role: Role): Promise<number>;
  /** Records that the owner of a bot is notified now. False if there was a notice after `since`, in milliseconds. */
  claimNotice(botId: number, now: number, since: number): Promise<boolean>;
  botsOwnedBy(ownerId: number): Promise<User[]>;
  /** Ids of active accounts with one of the roles, system bots excluded. */
  activeIds(roles?: readonly Role[]): Promise<number[]>;
  /** IDs of deactivated accounts. API responses remove them from permission values. */
  inactiveIds(): Promise<number[]>;
}

export interface AvatarStore {
  /** Replaces all images of the account. An empty list removes them. */
  replace(userId: number, images: readonly Omit<AvatarImage, 'user_id'>[]): Promise<void>;
  image(fileName: string): Promise<AvatarImage | undefined>;
}

/** Users who share a channel or a direct conversation. Restricted guests see only these users. */
export interface GuestVisibilityStore {
  /**
   * Accounts that a restricted guest can see: bots, active subscribers of the guest's channels, and all participants of
   * their direct conversations.
   */
  visibleTo(guestId: number): Promise<number[]>;
  /** Pairs of these guests and users who share a channel or conversation, without pairs of the same user. */
  between(guestIds: readonly number[], userIds: readonly number[]): Promise<{ guest_id: number; user_id: number }[]>;
}

export interface PresenceStore {
  of(userId: number): Promise<Presence | undefined>;
  /** Presences written after this update ID, ordered by it. 0: all. */
  changedSince(updateId: number): Promise<Presence[]>;
  /**
   * Stores reports, at most one per account. Times only move forward, since another process may write later. May run in
   * a `shared` write. Update IDs are in commit order nevertheless.
   */
  record(seen: readonly LastPresence[]): Promise<void>;
  replace(seen: LastPresence): Promise<void>;
}

export interface UserStatusStore {
  /** All statuses, ordered by user. */
  all(): Promise<UserStatus[]>;
  of(userIds: readonly number[]): Promise<UserStatus[]>;
  /** Sets a status. Deletes one without text and emoji. */
  set(status: UserStatus): Promise<void>;
}

export interface PasswordReset {
  /** Hash of the token in the link. The token itself is not stored. */
  token_hash: string;
  user_id: number;
  /** Digest of the credentials of the account. When they change, the link becomes invalid. */
  account_state: string;
  created_ms: number;
  /** Sent by e-mail. The number of e-mails per account is limited. */
  is_mailed: boolean;
  /** null: the link sets a password. Otherwise it confirms this address of the account. */
  new_email: string | null;
}

export interface PasswordResetStore {
  byToken(tokenHash: string): Promise<PasswordReset | undefined>;
  /** Creation times of the links mailed to an account since a time: those that set a password, or confirm an address. */
  mailedSince(userId: number, since: number, kind: { changes: boolean }): Promise<number[]>;
  /** The links of an account that confirm an address stop working. They still count. */
  endChanges(userId: number): Promise<void>;
  /** Adds a link and keeps only the newest `limit` of the account. */
  add(reset: PasswordReset, limit: number): Promise<void>;
  /** The e-mail was not sent, or this is unknown: it does not count against the limit, but the link stays valid. */
  uncount(tokenHash: string): Promise<void>;
  removeOf(userId: number): Promise<void>;
}

/** A login of a person at an identity provider. */
export interface ExternalLogin {
  /** URL of the provider. */
  issuer: string;
  /** ID of the person there. */
  subject: string;
  user_id: number;
}

export interface ExternalLoginStore {
  /** ID of the account that this login opens. */
  holder(issuer: string, subject: string): Promise<number | undefined>;
  /** Whether the account has a login of this issuer. */
  has(userId: number, issuer: string): Promise<boolean>;
  add(login: ExternalLogin): Promise<void>;
  removeOf(userId: number): Promise<void>;
}

/** Network addresses of successful password sign-ins, as digests. */
export interface SignInNetworkStore {
  /** Whether there was a sign-in to the account from this network since a time. */
  isKnown(userId: number, network: string, since: number): Promise<boolean>;
  /** Records a sign-in. Keeps only the latest `limit` networks of the account. */
  remember(userId: number, network: string, options: { now: number; limit: number }): Promise<void>;
}

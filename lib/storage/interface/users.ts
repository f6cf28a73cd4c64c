import type { AvatarImage, EmailVisibility, NewUser, Role, User, UserPatch } from '../../model/users.ts';

export type UserMirror = Pick<User, 'id' | 'external_id' | 'delivery_email' | 'full_name' | 'role' | 'is_active'>;

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

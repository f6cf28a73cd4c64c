export type Role = 100 | 200 | 300 | 400 | 600;

/** Who may see the real address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
export type EmailVisibility = 1 | 2 | 3 | 4 | 5;

export interface User {
  id: number;
  /** The real address, as given; unique without regard to case. */
  delivery_email: string;
  full_name: string;
  role: Role;
  is_active: boolean;
  /** null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null;
  bot_owner_id: number | null;
  /** Notification bot and its like: belongs to the software, not to the organization. */
  is_system_bot: boolean;
  timezone: string;
  joined_ms: number;
  avatar_source: string;
  avatar_version: number;
  email_visibility: EmailVisibility;
  /** scrypt, or null: no password. */
  password_hash: string | null;
  /** Raised to invalidate every earlier API key. */
  key_generation: number;
  /** Whether the account may give others another address; given by whoever runs the software, out of band. */
  can_change_user_emails: boolean;
  /** How often it was let in again after too many wrong passwords: each time they are counted afresh. */
  sign_in_unlocks: number;
  /** Personal settings that differ from their default. */
  settings: Record<string, unknown>;
  /** The organization's `users_version` when this record last changed. */
  version: number;
}

export type NewUser = Omit<User, 'id' | 'version'>;

export interface UserStore {
  byId(id: number): Promise<User | undefined>;
  /** Those that exist, ordered by id. */
  byIds(ids: readonly number[]): Promise<User[]>;
  /** By real address, without regard to case. */
  byEmail(email: string): Promise<User | undefined>;
  byEmails(emails: readonly string[]): Promise<User[]>;
  /** By full name, without regard to case; several may have the same. Ordered by id. */
  byNames(names: readonly string[]): Promise<User[]>;
  /** Changed after `version`, ordered by id; 0 gives all. System bots included. */
  changedSince(version: number): Promise<User[]>;
  create(user: NewUser): Promise<User>;
  /** Several at once, in their order. */
  createMany(users: readonly NewUser[]): Promise<User[]>;
  update(id: number, patch: Partial<NewUser>): Promise<User>;
  /** Active people (no bots) with this role. */
  countActive(role: Role): Promise<number>;
  /** Bots of the owner, ordered by id. */
  botsOwnedBy(ownerId: number): Promise<User[]>;
  /** Ids of active accounts with one of the roles, system bots excluded. */
  activeIds(roles?: readonly Role[]): Promise<number[]>;
  /** Ids of deactivated accounts, which API answers filter from permission values. */
  inactiveIds(): Promise<number[]>;
}

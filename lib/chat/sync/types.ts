import type { Role } from '../../model/users.ts';
import type { Adopt } from '../../rules/adoption.ts';
import type { MirroredField } from '../../views/external-ids.ts';

export type { MirroredField };

/** A user in `chat.sync`. Fields that are omitted or null stay as they are. */
export interface SyncUser {
  /** The ID of the person in your program: 1 to 255 characters. */
  external_id: string;
  /** Display name. `users.toValidName` makes one of any text. */
  name: string;
  /**
   * Real e-mail address. An account that has the address and no external ID becomes the account of this user, if
   * `adopt` allows it. New accounts without an address get one that receives no mail.
   */
  email?: string | null | undefined;
  /** Default for new accounts: member, or guest if the audience of the organization are customers. */
  role?: Role | 'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | null | undefined;
  /** false deactivates the account. Default: true, which also reactivates it. */
  is_active?: boolean | null | undefined;
  /** All channels of the user: external IDs or names. The user never leaves channels without an external ID. */
  channels?: readonly string[] | null | undefined;
  /** All groups that the user is a direct member of, in the same way. */
  groups?: readonly string[] | null | undefined;
  /** Values of custom profile fields, by the name of the field. An empty text removes the value; null does not change it. */
  profile?: Readonly<Record<string, string | readonly number[] | null>> | null | undefined;
}

/** A channel in `chat.sync`. Fields that are omitted or null stay as they are. */
export interface SyncChannel {
  /** The ID of the channel in your program: 1 to 255 characters. */
  external_id: string;
  /** Unique, at most 60 characters. A channel that has the name and no external ID becomes this channel, if `adopt` allows it. */
  name: string;
  /** Markdown, one line. */
  description?: string | null | undefined;
  /** Default for new channels: false. */
  is_private?: boolean | null | undefined;
  /** true archives the channel. Default: false, which also unarchives it. */
  is_archived?: boolean | null | undefined;
}

/** A group in `chat.sync`. Fields that are omitted or null stay as they are. */
export interface SyncGroup {
  /** The ID of the group in your program: 1 to 255 characters. */
  external_id: string;
  /** Unique, at most 100 characters. A group that has the name and no external ID becomes this group, if `adopt` allows it. */
  name: string;
  /** At most 1024 characters. */
  description?: string | null | undefined;
  /** All groups that directly contain this group: external IDs or names. It never leaves groups without an external ID. */
  groups?: readonly string[] | null | undefined;
  /** false deactivates the group. Default: true, which also reactivates it. */
  is_active?: boolean | null | undefined;
}

/** A room in `chat.sync`, as in `chat.rooms.ensure`. */
export interface SyncRoom {
  /** The ID of the room in your program: 1 to 255 characters. No channel of the list may have it. */
  external_id: string;
  /** Unique among all channels, at most 60 characters. */
  name: string;
  /** All members: user IDs, e-mail addresses, or objects with `external_id` or `user_id`. Other users leave the room. */
  members: readonly (number | string | { external_id: string } | { user_id: number })[];
  /** User group that joins and administers the room: its external ID or its name. Default: none. */
  staff?: string | null | undefined;
  /** true closes the room. Default: false, which also opens it again. */
  is_archived?: boolean | null | undefined;
}

/** The lists of `chat.sync`: arrays, iterables or async iterables. A list that is absent or null changes nothing. */
export interface SyncLists {
  /** Reads them once. Keeps them compressed until the end. */
  users?: Iterable<SyncUser> | AsyncIterable<SyncUser> | null | undefined;
  /** Changed before users, so that users can join them. */
  channels?: Iterable<SyncChannel> | AsyncIterable<SyncChannel> | null | undefined;
  /** Changed before users, so that users can join them. */
  groups?: Iterable<SyncGroup> | AsyncIterable<SyncGroup> | null | undefined;
  /** Changed after users. A room that is not in the list stays as it is. */
  rooms?: Iterable<SyncRoom> | AsyncIterable<SyncRoom> | null | undefined;
}

/** Options of `chat.sync`. */
export interface SyncOptions {
  /** Change nothing, but report the same changes. */
  dryRun?: boolean | undefined;
  /** Deactivate accounts that have an external ID but are not in `users`. */
  deactivateMissing?: boolean | undefined;
  /**
   * Only `chat.sync` may change these fields of records with an external ID. Lasts until the next sync with this
   * option; an empty list unlocks all fields.
   */
  lock?: readonly MirroredField[] | undefined;
  /**
   * What to do with records without an external ID that have the address or name. A refused record becomes a change
   * with the action `failed` and the code `ADOPTION_REFUSED`. The sync continues with the others.
   * - `verified`: adopt accounts whose address is verified, groups, and public channels
   * - `reset`: adopt all. First end the access of the earlier users of accounts that are not verified
   * - `never`: adopt nothing
   *
   * An adopted channel or group keeps only the members that the lists give it, and no administrators of its own.
   * Default: `verified`.
   */
  adopt?: Adopt | undefined;
  /** Called with each change after its commit. `changes` of the result is then empty, so memory stays bounded. */
  onChange?: ((change: SyncChange) => void | Promise<void>) | undefined;
  /** Called after each part with the numbers of compared and of all users. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** What `chat.sync` did with a record. `adopted`: an existing record got the external ID. */
export type SyncAction = 'created' | 'adopted' | 'changed' | 'deactivated' | 'reactivated' | 'failed';

/** A change by `chat.sync`, or a record that it could not change. */
export interface SyncChange {
  /** The kind of record. */
  kind: 'user' | 'channel' | 'group' | 'room';
  /** Its ID in your program. */
  external_id: string;
  /** Its ID in the chat. null if it does not exist, in a dry run or after a failure. */
  id: number | null;
  /** For a channel, `deactivated` means archived. */
  action: SyncAction;
  /**
   * The fields that changed. For `channels` and `groups`, one entry for each name that was joined or left. For
   * `subscribers`, `members` and `subgroups` of an adopted channel or group, one entry for each name that was removed.
   */
  fields: { field: string; from: unknown; to: unknown }[];
  /**
   * For an adopted user. `verified`: the address of the account was verified. `reset`: it was not, and the access of its
   * earlier user has ended.
   */
  adoption?: 'verified' | 'reset';
  /** For `failed`: the error code. */
  code?: string;
  /** For `failed`: the error message. The record stays as it was. */
  reason?: string;
}

/** Result of `chat.sync`. */
export interface SyncResult {
  /** Number of records by action, and of those that were equal already. */
  counts: Record<SyncAction | 'unchanged', number>;
  /** All changes in their order. Empty with `onChange`. */
  changes: SyncChange[];
}

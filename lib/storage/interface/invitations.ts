import type { Role } from '../../model/users.ts';

/** What an invited user gets. The same for all invitations of one call. */
export interface InvitationOffer {
  invited_by_user_id: number;
  /** Random. The key of an invitation is derived from it and the invitation ID. */
  seed: string;
  invited_as: Role;
  stream_ids: readonly number[];
  group_ids: readonly number[];
  include_realm_default_subscriptions: boolean;
  notify_referrer_on_join: boolean;
  /** null: the default of the organization. Empty: no welcome message. */
  welcome_message_custom_text: string | null;
  created_ms: number;
  /** null: never. */
  expires_ms: number | null;
}

/** `waiting`: not sent yet, possibly after failed attempts. */
type InvitationEmailState = 'waiting' | 'sent' | 'failed';

export interface Invitation extends InvitationOffer {
  id: number;
  /** null: a reusable link. */
  email: string | null;
  /** The key starts with the ID. Older invitations have their own seed and are found by the hash of the key. */
  is_numbered: boolean;
  /** null while it is pending, or expired. */
  ended: 'accepted' | 'revoked' | null;
  /** null: without e-mail. */
  email_state: InvitationEmailState | null;
  email_error: string | null;
}

/** An invitation for lists, without long lists of IDs. */
export type PendingInvitation = Omit<Invitation, 'stream_ids' | 'group_ids' | 'welcome_message_custom_text'>;

export interface NewInvitation {
  email: string | null;
  email_state: InvitationEmailState | null;
}

export interface InvitationStore {
  /** Returns the IDs in the same order. @param remindMs when to remind users who have not accepted */
  create(offer: InvitationOffer, invited: readonly NewInvitation[], remindMs: number | null): Promise<number[]>;
  byId(id: number): Promise<Invitation | undefined>;
  /** Only finds invitations with a seed of their own (not `is_numbered`). */
  byKeyHash(hash: string): Promise<Invitation | undefined>;
  /** Pending invitations that have not expired, ordered by ID. Optionally only of one inviter. */
  pending(nowMs: number, invitedBy?: number): Promise<PendingInvitation[]>;
  /** At most 20 pending invitations of an address that have not expired, newest first. */
  pendingFor(email: string, nowMs: number): Promise<Invitation[]>;
  /** Number of pending invitations that have not expired: all, and those of one inviter. */
  countPending(nowMs: number, invitedBy: number): Promise<{ all: number; own: number }>;
  /** Ends an invitation and its reminder. False if it has already ended. */
  end(id: number, how: 'accepted' | 'revoked', nowMs: number): Promise<boolean>;
  revokeFor(email: string, nowMs: number): Promise<void>;
  /** Revokes the pending invitations of an inviter. False if there are none. */
  revokeOf(inviterId: number, nowMs: number): Promise<boolean>;
  /** Removes the reminders of pending invitations to these addresses. */
  dropReminders(emails: readonly string[]): Promise<void>;
  /** Sets the state for another e-mail. @param remindMs when to send the reminder */
  resend(id: number, remindMs: number | null): Promise<void>;
  recordEmails(states: readonly { id: number; state: InvitationEmailState; error: string | null }[]): Promise<void>;
  nextReminder(): Promise<number | undefined>;
  /** Takes due reminders, so that no other process sends them. Drops reminders of expired invitations. */
  claimReminders(nowMs: number, limit: number): Promise<{ id: number; isPending: boolean }[]>;
  /** Counts e-mails that a user has caused. */
  countSent(userId: number, invitations: number, nowMs: number): Promise<void>;
  /** Number of e-mails that a user has caused since a time. */
  sentSince(userId: number, sinceMs: number): Promise<number>;
  /** Earliest end or expiry of an invitation, or time of the first e-mail count, in milliseconds. */
  oldestEnd(): Promise<number | undefined>;
  /**
   * Deletes at most `limit` invitations ended or expired up to a time, and as many e-mail counts; returns the larger
   * number.
   */
  forget(untilMs: number, limit: number): Promise<number>;
}

/** A confirmation link for an e-mail address, needed to join with a reusable invitation link. */
export interface EmailVerification {
  /** Hash of the key in the link. The key itself is not stored. */
  key_hash: string;
  invitation_id: number;
  email: string;
  created_ms: number;
  /** Sent by e-mail. The number of e-mails per address is limited. */
  is_mailed: boolean;
  is_used: boolean;
}

export interface EmailVerificationStore {
  byKeyHash(hash: string): Promise<EmailVerification | undefined>;
  /** Creation times of the links mailed to an address since a time. */
  mailedSince(email: string, since: number): Promise<number[]>;
  add(verification: EmailVerification): Promise<void>;
  /** The e-mail was not sent, or this is unknown: it does not count against the limit, but the link stays valid. */
  uncount(keyHash: string): Promise<void>;
  /** A user has joined with the address: all links to it become invalid. */
  use(email: string): Promise<void>;
  oldest(): Promise<number | undefined>;
  /** Deletes at most `limit` links created before a time, oldest first; returns their number. */
  removeBefore(ms: number, limit: number): Promise<number>;
}

import type { Role } from './users.ts';

/** What whoever accepts is to have: the same for all that were invited by one call. */
export interface InvitationOffer {
  invited_by_user_id: number;
  /** Random; with the id of an invitation, its key is derived from it. */
  seed: string;
  invited_as: Role;
  stream_ids: readonly number[];
  group_ids: readonly number[];
  include_realm_default_subscriptions: boolean;
  notify_referrer_on_join: boolean;
  /** null: as the organization welcomes people; empty: not at all. */
  welcome_message_custom_text: string | null;
  created_ms: number;
  /** null: never. */
  expires_ms: number | null;
}

/** `waiting`: on its way, or tried in vain so far. */
export type InvitationEmailState = 'waiting' | 'sent' | 'failed';

export interface Invitation extends InvitationOffer {
  id: number;
  /** null: a link that many may use. */
  email: string | null;
  /** Its key begins with its id. Older ones have a seed of their own, and are found by the hash of the key. */
  is_numbered: boolean;
  /** null while it is pending, although it may have expired. */
  ended: 'accepted' | 'revoked' | null;
  /** null: no e-mail was to be sent. */
  email_state: InvitationEmailState | null;
  /** Why it is still waiting, or has failed. */
  email_error: string | null;
}

/** As it is listed: without what it gives, which may be a thousand ids. */
export type PendingInvitation = Omit<Invitation, 'stream_ids' | 'group_ids' | 'welcome_message_custom_text'>;

/** Somebody who is invited, or everybody who has a link. */
export interface NewInvitation {
  email: string | null;
  email_state: InvitationEmailState | null;
}

export interface InvitationStore {
  /** Ids in the order of those invited. `remindMs`: when those who have not accepted are to be reminded. */
  create(offer: InvitationOffer, invited: readonly NewInvitation[], remindMs: number | null): Promise<number[]>;
  byId(id: number): Promise<Invitation | undefined>;
  /** Only finds invitations with a seed of their own (not `is_numbered`). */
  byKeyHash(hash: string): Promise<Invitation | undefined>;
  /** Neither ended nor expired, ordered by id; of one inviter where it is given. */
  pending(nowMs: number, invitedBy?: number): Promise<PendingInvitation[]>;
  /** How many invitations have neither ended nor expired: all of them, and those of one inviter. */
  countPending(nowMs: number, invitedBy: number): Promise<{ all: number; own: number }>;
  /** Ends one; nobody is reminded of it any more. False where it has ended already. */
  end(id: number, how: 'accepted' | 'revoked', nowMs: number): Promise<boolean>;
  /** Ends the pending ones to an address. */
  revokeFor(email: string, nowMs: number): Promise<void>;
  /** Of the pending ones to these addresses: nobody is reminded of them any more. */
  dropReminders(emails: readonly string[]): Promise<void>;
  /** Another e-mail is on its way. `remindMs`: when to remind of it. */
  resend(id: number, remindMs: number | null): Promise<void>;
  /** What became of e-mails of invitations. */
  noteEmails(states: readonly { id: number; state: InvitationEmailState; error: string | null }[]): Promise<void>;
  /** When the next reminder is due, milliseconds. */
  nextReminder(): Promise<number | undefined>;
  /** Takes reminders that are due, so that nobody else does; those of invitations that have expired are dropped. */
  takeReminders(nowMs: number, limit: number): Promise<{ id: number; isPending: boolean }[]>;
  /** Notes that somebody had so many e-mails sent. */
  countSent(userId: number, invitations: number, nowMs: number): Promise<void>;
  /** How many they had sent since a time. */
  sentSince(userId: number, sinceMs: number): Promise<number>;
  /** When the one ended that ended first, or was to expire, or the first e-mails went out that are counted; milliseconds. */
  oldestEnd(): Promise<number | undefined>;
  /** Removes so many that ended or expired up to a time, and as many counts of e-mails; returns how many of the more numerous. */
  forget(untilMs: number, limit: number): Promise<number>;
}

import { emailKey } from '../../rules/fold.ts';
import type {
  EmailVerification,
  EmailVerificationStore,
  Invitation,
  InvitationOffer,
  InvitationStore,
  PendingInvitation,
} from '../interface/invitations.ts';
import { inOrder } from './connection.ts';
import { record } from './record.ts';
import { changed, changes, count, ids, keyed, type Queries, row, run, value } from './store.ts';

const LISTED_COLUMNS = {
  invited_by_user_id: 'integer',
  invited_as: 'integer',
  include_realm_default_subscriptions: 'boolean',
  notify_referrer_on_join: 'boolean',
  created_ms: 'integer',
  expires_ms: 'integer',
} as const;
const OFFER_COLUMNS = {
  ...LISTED_COLUMNS,
  stream_ids: 'json',
  group_ids: 'json',
  welcome_message_custom_text: 'text',
} as const;
const OFFER = record<InvitationOffer>({ ...OFFER_COLUMNS, seed: 'text' });
const INVITATION_COLUMNS = {
  id: 'integer',
  email: 'text',
  seed: 'text',
  is_numbered: 'boolean',
  ended: 'text',
  email_state: 'text',
  email_error: 'text',
} as const;
const INVITATION = record<Invitation>({ ...INVITATION_COLUMNS, ...OFFER_COLUMNS });
const LISTED = record<PendingInvitation>({ ...INVITATION_COLUMNS, ...LISTED_COLUMNS });

const FROM = 'FROM invitations i JOIN invitation_offers o ON o.id = i.offer_id';
const select = (offered: object) => `
  SELECT i.id AS id, email, COALESCE(o.seed, i.seed) AS seed, CASE WHEN o.seed IS NULL THEN 0 ELSE 1 END AS is_numbered,
    ended, email_state, email_error, ${Object.keys(offered).join(', ')}
  ${FROM}`;
const SELECT = select(OFFER_COLUMNS);
const IS_PENDING = 'i.ended IS NULL AND (o.expires_ms IS NULL OR o.expires_ms > ?)';
const PENDING = `${select(LISTED_COLUMNS)} WHERE ${IS_PENDING} ORDER BY i.id`;
const PENDING_OF = `${select(LISTED_COLUMNS)} WHERE ${IS_PENDING} AND o.invited_by_user_id = ? ORDER BY i.id`;
const countPending = row<{ total: number; own: number }>(`
  SELECT COUNT(*) AS total, COUNT(CASE WHEN o.invited_by_user_id = ? THEN 1 END) AS own ${FROM} WHERE ${IS_PENDING}`);
const INSERT_OFFER = `INSERT INTO invitation_offers (${OFFER.columns}) VALUES (${OFFER.places}) RETURNING id`;
/** Rows of address, its key and state of the e-mail. */
const INSERT = `
  INSERT INTO invitations (email, email_key, email_state, offer_id, remind_ms, seed, key_hash)
  SELECT TEXT(0), TEXT(1), TEXT(2), CAST(? AS BIGINT), CAST(? AS BIGINT), '', CAST(? AS TEXT) || '.' || key
  FROM ROWS(?) WHERE true ORDER BY key RETURNING id`;
const RESEND = `UPDATE invitations SET email_state = 'waiting', email_error = NULL, remind_ms = ? WHERE id = ?`;
const CLAIM_REMINDERS = `
  WITH claimed AS MATERIALIZED (
    SELECT id FROM invitations WHERE remind_ms <= ? ORDER BY remind_ms, id LIMIT ? SKIP_LOCKED)
  UPDATE invitations SET remind_ms = NULL WHERE id IN (SELECT id FROM claimed)
  RETURNING id, CASE WHEN ended IS NULL AND EXISTS (
    SELECT 1 FROM invitation_offers o WHERE o.id = offer_id AND (o.expires_ms IS NULL OR o.expires_ms > ?)
  ) THEN 1 ELSE 0 END AS is_pending`;
const COUNT_SENT = 'INSERT INTO invitations_sent (user_id, invitations, sent_ms) VALUES (?, ?, ?)';
const FORGET_SENT = 'DELETE FROM invitations_sent WHERE user_id = ? AND sent_ms <= ?';
// Two processes may choose the same: each row is removed by one of them.
const FORGET_ENDED = `
  DELETE FROM invitations WHERE id IN (
    SELECT id FROM invitations WHERE ended_ms <= ? ORDER BY ended_ms, id LIMIT ?)
  RETURNING offer_id`;
const FORGET_EXPIRED = `
  DELETE FROM invitations WHERE id IN (
    SELECT i.id FROM invitation_offers o JOIN invitations i ON i.offer_id = o.id
    WHERE o.expires_ms <= ? ORDER BY o.expires_ms, i.offer_id LIMIT ?)
  RETURNING offer_id`;
const FORGET_OFFERS = `
  DELETE FROM invitation_offers WHERE id IN_IDS(?)
    AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.offer_id = invitation_offers.id)`;
const FORGET_COUNTS = `
  DELETE FROM invitations_sent WHERE id IN (
    SELECT id FROM invitations_sent WHERE sent_ms <= ? ORDER BY sent_ms LIMIT ?)`;

/** The daily limit counts no older invitations. */
const KEEP_SENT_MS = 24 * 3_600_000;

export const invitations: Queries<InvitationStore> = {
  byId: INVITATION.one(`${SELECT} WHERE i.id = ?`),
  byKeyHash: INVITATION.one(`${SELECT} WHERE i.key_hash = ?`),
  end: changes('UPDATE invitations SET ended = ?2, ended_ms = ?3, remind_ms = NULL WHERE id = ?1 AND ended IS NULL'),
  revokeOf: changes(`
    UPDATE invitations SET ended = 'revoked', ended_ms = ?2, remind_ms = NULL
    WHERE ended IS NULL AND offer_id IN (SELECT id FROM invitation_offers WHERE invited_by_user_id = ?1)`),
  revokeFor: keyed(
    emailKey,
    run(`
      UPDATE invitations SET ended = 'revoked', ended_ms = ?2, remind_ms = NULL
      WHERE email_key = ?1 AND ended IS NULL`),
  ),
  pendingFor: keyed(
    emailKey,
    INVITATION.many(`${SELECT} WHERE i.email_key = ? AND ${IS_PENDING} ORDER BY i.id DESC LIMIT 20`),
  ),
  dropReminders: keyed(
    (emails: readonly string[]) => emails.map(emailKey),
    run(`
      UPDATE invitations SET remind_ms = NULL WHERE email_key IN_TEXTS(?) AND ended IS NULL AND remind_ms IS NOT NULL`),
  ),
  nextReminder: value('SELECT MIN(remind_ms) AS at FROM invitations WHERE remind_ms IS NOT NULL'),
  sentSince: count('SELECT SUM(invitations) AS n FROM invitations_sent WHERE user_id = ? AND sent_ms > ?'),
  oldestEnd: value(`
    SELECT MIN(at) AS at FROM (
      SELECT MIN(ended_ms) AS at FROM invitations WHERE ended_ms IS NOT NULL
      UNION ALL SELECT MIN(expires_ms) FROM invitation_offers WHERE expires_ms IS NOT NULL
      UNION ALL SELECT MIN(sent_ms) FROM invitations_sent) ends`),

  async create(connection, offer, invited, remindMs) {
    if (remindMs !== null) connection.concurrency?.announceDueWork();
    const offerId = await connection.insert(INSERT_OFFER, OFFER.values(offer));
    const rows = invited.map(({ email, email_state }) => [email, email === null ? null : emailKey(email), email_state]);
    const created = await connection.column(INSERT, [offerId, remindMs, String(offerId), JSON.stringify(rows)]);
    // Engines promise no order of what they return.
    return inOrder(created);
  },

  async pending(connection, nowMs, invitedBy) {
    if (invitedBy === undefined) return connection.many(LISTED, PENDING, [nowMs]);
    return connection.many(LISTED, PENDING_OF, [nowMs, invitedBy]);
  },

  async countPending(connection, nowMs, invitedBy) {
    const { total = 0, own = 0 } = (await countPending(connection, invitedBy, nowMs)) ?? {};
    return { all: total, own };
  },

  async resend(connection, id, remindMs) {
    if (remindMs !== null) connection.concurrency?.announceDueWork();
    await connection.run(RESEND, [remindMs, id]);
  },
  recordEmails: keyed(
    (states: readonly { id: number; state: string; error: string | null }[]) =>
      states.map(({ id, state, error }) => [id, state, error]),
    run(`
      UPDATE invitations SET email_state = TEXT(1), email_error = TEXT(2) FROM ROWS(?)
      WHERE invitations.id = NUMBER(0)`),
  ),

  async claimReminders(connection, nowMs, limit) {
    const claimed = await connection.all<{ id: number; is_pending: number }>(CLAIM_REMINDERS, [nowMs, limit, nowMs]);
    return claimed.map(({ id, is_pending }) => ({ id, isPending: is_pending === 1 })).sort((a, b) => a.id - b.id);
  },

  async countSent(connection, userId, invitations, nowMs) {
    await connection.run(FORGET_SENT, [userId, nowMs - KEEP_SENT_MS]);
    await connection.run(COUNT_SENT, [userId, invitations, nowMs]);
  },

  async forget(connection, untilMs, limit) {
    const ended = await connection.column(FORGET_ENDED, [untilMs, limit]);
    const rest = limit - ended.length;
    const expired = rest === 0 ? [] : await connection.column(FORGET_EXPIRED, [untilMs, rest]);
    const offers = new Set([...ended, ...expired]);
    if (offers.size > 0) await connection.run(FORGET_OFFERS, [JSON.stringify([...offers])]);
    const counts = await connection.run(FORGET_COUNTS, [untilMs, limit]);
    return Math.max(ended.length + expired.length, counts);
  },
};

const VERIFICATION = record<EmailVerification>({
  key_hash: 'text',
  invitation_id: 'integer',
  email: 'text',
  created_ms: 'integer',
  is_mailed: 'boolean',
  is_used: 'boolean',
});

const ADD_VERIFICATION = `INSERT INTO address_proofs (${VERIFICATION.columns}, email_key) VALUES (${VERIFICATION.places}, ?)`;

export const emailVerifications: Queries<EmailVerificationStore> = {
  byKeyHash: VERIFICATION.one(`SELECT ${VERIFICATION.columns} FROM address_proofs WHERE key_hash = ?`),
  mailedSince: keyed(
    emailKey,
    ids(`
      SELECT created_ms FROM address_proofs
      WHERE email_key = ? AND created_ms > ? AND is_mailed = 1 ORDER BY created_ms`),
  ),
  uncount: run('UPDATE address_proofs SET is_mailed = 0 WHERE key_hash = ?'),
  use: keyed(emailKey, run('UPDATE address_proofs SET is_used = 1 WHERE email_key = ?')),
  oldest: value('SELECT MIN(created_ms) AS at FROM address_proofs'),
  removeBefore: changed(`
    DELETE FROM address_proofs WHERE key_hash IN (
      SELECT key_hash FROM address_proofs WHERE created_ms < ? ORDER BY created_ms LIMIT ? SKIP_LOCKED)`),

  async add(connection, verification) {
    await connection.run(ADD_VERIFICATION, [...VERIFICATION.values(verification), emailKey(verification.email)]);
  },
};

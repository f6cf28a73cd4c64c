import type { MessageFlag } from '../interface/flags.ts';

/**
 * A row of `subscription_periods` is a time of subscription. It starts after a message and an event. It ends with
 * another message and event, or is open. The user received all messages and events in it.
 */

/** Larger than every ID. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** Whether a period of this name in the statement covers a message. */
export function coversMessage(period: string, message: string): string {
  return `${period}.after_message_id < ${message} AND (${period}.to_message_id IS NULL OR ${period}.to_message_id >= ${message})`;
}

/** Whether a period of this name covers a position of the log. If `seq` is a parameter, bind it twice. */
export function coversEvent(period: string, seq: string): string {
  return `${period}.after_seq < ${seq} AND (${period}.to_seq IS NULL OR ${period}.to_seq >= ${seq})`;
}

/** The newest message of a conversation in a period. With index bounds, which an OR would prevent. */
export function newestCovered(period: string, conversation: string): string {
  return `(SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = ${conversation}
    AND m.id > ${period}.after_message_id AND m.id <= COALESCE(${period}.to_message_id, ${NO_END}))`;
}

/**
 * Conditions for received and read messages, from subscription periods, read ranges and exceptions. The message is `m`.
 */

export const FLAG_BITS: Readonly<Record<MessageFlag, number>> = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  wildcard_mentioned: 8,
  // With the bit of wildcard_mentioned, the old name. Older rows have only that one.
  stream_wildcard_mentioned: 128 + 8,
  topic_wildcard_mentioned: 256 + 8,
  has_alert_word: 16,
};
/** Explicitly marked as unread, despite ranges and floor. */
export const UNREAD_BIT = 32;
/** Sent the message or reacted to it without having received it. */
export const FOLLOWING_BIT = 64;
/** Mentioned by an earlier version of the message: an edit does not notify again. */
export const MENTIONED_BEFORE_BIT = 512;
export const ANY_MENTION = FLAG_BITS.mentioned | FLAG_BITS.wildcard_mentioned;

/** Takes the user's id once. False for direct messages. */
export const RECEIVED_IN_CHANNEL = `EXISTS (
  SELECT 1 FROM conversations rc JOIN subscription_periods rp ON rp.channel_id = rc.channel_id
  WHERE rc.id = m.conversation_id AND rp.user_id = ? AND ${coversMessage('rp', 'm.id')})`;

/** Whether the user takes part in the direct conversation. Takes the user's id once. */
export const TAKES_PART = `EXISTS (
  SELECT 1 FROM conversation_participants tp WHERE tp.user_id = ? AND tp.conversation_id = m.conversation_id)`;

/** Takes the user's id twice. */
export const RECEIVED = `(${RECEIVED_IN_CHANNEL} OR ${TAKES_PART})`;

/** Whether the user is subscribed to the message's channel. Takes the user's id once. */
export const SUBSCRIBED = `EXISTS (
  SELECT 1 FROM conversations sc JOIN subscriptions ss ON ss.channel_id = sc.channel_id
  WHERE sc.id = m.conversation_id AND ss.user_id = ? AND ss.active = 1)`;

/** Whether `user` has muted the sender of a message, or had when it was sent: then it counts as read. */
export function isMuted(user: string, message = 'm'): string {
  return `EXISTS (
    SELECT 1 FROM muted_users mu WHERE mu.user_id = ${user} AND mu.muted_user_id = ${message}.sender_id
      AND ${message}.id <= COALESCE(mu.until_message_id, ${NO_END}))`;
}

/**
 * Start of a floorless range: the floor does not apply to the conversation, because its topic came from a channel with
 * a lower floor. Only its ranges are read. Removed by the next subscription.
 */
export const NO_FLOOR = -1;

/** Whether the floor of a user does not apply to a conversation. */
export function isFloorless(user: string, conversation: string): string {
  return `EXISTS (
    SELECT 1 FROM read_ranges z WHERE z.user_id = ${user} AND z.conversation_id = ${conversation} AND z.from_id = ${NO_FLOOR})`;
}

export function floorIn(subscription: string, conversation: string): string {
  return `CASE WHEN ${subscription}.floor > 0 AND ${isFloorless(`${subscription}.user_id`, conversation)} THEN 0 ELSE ${subscription}.floor END`;
}

/**
 * Read by floor or ranges, ignoring explicit marks and muted users. Ranges do not overlap, so only the last one that
 * starts before the message can cover it. Takes the user's id three times.
 */
export const COVERED_UNMUTED = `(
  (m.sender_id = ? AND m.read_by_sender = 1)
  OR COALESCE((
    SELECT rr.to_id FROM read_ranges rr
    WHERE rr.user_id = ? AND rr.conversation_id = m.conversation_id AND rr.from_id <= m.id
    ORDER BY rr.from_id DESC LIMIT 1), -1) >= m.id
  OR EXISTS (
    SELECT 1 FROM conversations fc
    LEFT JOIN subscriptions fs ON fs.user_id = ? AND fs.channel_id = fc.channel_id AND fs.active = 1
    WHERE fc.id = m.conversation_id AND fc.channel_id IS NOT NULL AND (fs.floor IS NULL
      OR (m.id <= fs.floor AND NOT ${isFloorless('fs.user_id', 'fc.id')}))))`;

/** Read, ignoring explicit marks. Takes the user's id four times. */
export const COVERED = `(${COVERED_UNMUTED} OR ${isMuted('?')})`;

/** Takes the user's id once. */
export const MARKED_UNREAD = `EXISTS (
  SELECT 1 FROM message_flags mf WHERE mf.message_id = m.id AND mf.user_id = ? AND (mf.bits & ${UNREAD_BIT}) <> 0)`;

/** Takes the user's id five times. */
export const READ = `(NOT ${MARKED_UNREAD} AND ${COVERED})`;

/**
 * Somebody received what was said and is owed what happened while they were subscribed: in a row of
 * `subscription_periods`, which begins after one message and event and ends with another, or goes on.
 */

/** Above every id. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** Whether a period of this name in the statement covers a message. */
export function coversMessage(period: string, message: string): string {
  return `${period}.after_message_id < ${message} AND (${period}.to_message_id IS NULL OR ${period}.to_message_id >= ${message})`;
}

/** Whether a period of this name covers a place of the log. Where `seq` is a parameter, it must be given twice. */
export function coversEvent(period: string, seq: string): string {
  return `${period}.after_seq < ${seq} AND (${period}.to_seq IS NULL OR ${period}.to_seq >= ${seq})`;
}

/** The newest message of a conversation in a period: as bounds of an index, which an OR would not be. */
export function newestCovered(period: string, conversation: string): string {
  return `(SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = ${conversation}
    AND m.id > ${period}.after_message_id AND m.id <= COALESCE(${period}.to_message_id, ${NO_END}))`;
}

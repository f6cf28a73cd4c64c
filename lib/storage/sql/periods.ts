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

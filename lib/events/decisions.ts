import type { EventDraft, LoggedEvent } from '../storage/interface/events.ts';

/** Whose settings and time a notification of the program follows. */
export type ProgramWay = 'email' | 'push';

/**
 * The decision to notify a user of messages, for the program. It is an event of the log, where `chat.on('notification')`
 * reads it. Its audience is empty, so no queue receives it. It has no text: the delivery reads that.
 */
export interface LoggedDecision {
  way: ProgramWay;
  user_id: number;
  /** Ascending. */
  message_ids: number[];
  /** By message, the group whose mention is the only mention of the user. */
  groups: number[][];
  /** Further messages of the period. */
  uncounted: number;
}

const TYPE = 'parlance_notification';

export function logged(decision: LoggedDecision): EventDraft {
  return { audience: {}, event: { type: TYPE, ...decision } };
}

export function decisionIn({ event }: LoggedEvent): LoggedDecision | undefined {
  return event.type === TYPE ? (event as unknown as LoggedDecision) : undefined;
}

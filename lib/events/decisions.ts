import type { EventDraft, LoggedEvent } from '../storage/interface/events.ts';

/** The way whose settings and timing apply to a notification of the program. */
export type ProgramWay = 'email' | 'push';

/**
 * The decision to notify a user of messages, for the program. An event in the log, which `chat.on('notification')` reads.
 * Its audience is empty, so no queue receives it. It has no text: the delivery reads the messages.
 */
interface LoggedDecision {
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

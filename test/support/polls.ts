import type { Chat } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { until } from './until.ts';

/** Waits until exactly so many requests of a chat wait for events. */
export async function untilPollsWait(chat: Chat, polls: number): Promise<void> {
  await until(`${polls} polls wait`, () => transportOf(chat).engine.hub.waiting === polls);
}

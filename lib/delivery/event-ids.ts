import type { EventQueue } from '../storage/interface/queues.ts';

/**
 * Ids count from the queue's own start. The first event is 1: some clients begin at 0 and would take event 0 for one
 * that they have had, and a heartbeat before it needs an id that no event ever has.
 */
export function eventId(queue: Pick<EventQueue, 'start_seq'>, seq: number): number {
  return seq - queue.start_seq;
}

/** The place in the log of the event with this id; the queue's start for -1 as for 0. */
export function seqOf(queue: Pick<EventQueue, 'start_seq'>, id: number): number {
  return queue.start_seq + Math.max(0, id);
}

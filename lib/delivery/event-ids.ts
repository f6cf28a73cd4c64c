import type { EventQueue } from '../storage/interface/queues.ts';

/**
 * IDs count from the start of the queue. The first is 1, because clients that start at 0 would ignore an
 * event 0. Also, a heartbeat before the first event needs an ID that no event has.
 */
export function eventId(queue: Pick<EventQueue, 'start_seq'>, seq: number): number {
  return seq - queue.start_seq;
}

/** Position in the log of an event ID. -1 and 0 are the start of the queue. */
export function seqOf(queue: Pick<EventQueue, 'start_seq'>, id: number): number {
  return queue.start_seq + Math.max(0, id);
}

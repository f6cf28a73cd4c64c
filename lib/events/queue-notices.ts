import type { EventDraft, LoggedEvent } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/**
 * A notice from another process about the queue of a waiting poll. It is written to the log, which every process reads
 * when it is woken. Its audience is empty, so no queue receives it.
 */
type QueueNotice = { queueId: string; holder: string | null } | { userIds: readonly number[] };

const TYPE = 'parlance_queue';

export function queueDeleted(queueId: string): EventDraft {
  return { audience: {}, event: { type: TYPE, queue_id: queueId, holder: null } };
}

export function queuesDeletedOf(userIds: readonly number[]): EventDraft {
  return { audience: {}, event: { type: TYPE, user_ids: userIds } };
}

/** Whether all queues of the user were ended after this position of the log. */
export async function haveQueuesEnded(
  { events }: Pick<Transaction, 'events'>,
  userId: number,
  afterSeq: number,
): Promise<boolean> {
  const notices = (await events.ofType(TYPE, afterSeq)).map(queueNotice);
  return notices.some((notice) => notice && 'userIds' in notice && notice.userIds.includes(userId));
}

/** Polls of the queue now wait in the process with this ID. */
export function queueHeld(queueId: string, holder: string): EventDraft {
  return { audience: {}, event: { type: TYPE, queue_id: queueId, holder } };
}

export function queueNotice({ event }: LoggedEvent): QueueNotice | undefined {
  if (event.type !== TYPE) return undefined;
  if (event.user_ids) return { userIds: event.user_ids as number[] };
  return { queueId: event.queue_id as string, holder: event.holder as string | null };
}

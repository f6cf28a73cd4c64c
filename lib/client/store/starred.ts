import type { ChatEvent } from '../../chat/session.ts';

/** The starred messages after an event: the same set if it does not change them. */
export function starredAfter(starred: ReadonlySet<number>, event: ChatEvent): ReadonlySet<number> {
  if (event.type === 'update_message_flags' && event.flag === 'starred') {
    const { messages } = event;
    return event.op === 'add' ? new Set([...starred, ...messages]) : without(starred, messages);
  }
  if (event.type !== 'delete_message') return starred;
  return without(starred, event.message_ids ?? [event.message_id as number]);
}

function without(starred: ReadonlySet<number>, ids: readonly number[]): ReadonlySet<number> {
  const gone = new Set(ids);
  return ids.some((id) => starred.has(id)) ? new Set([...starred].filter((id) => !gone.has(id))) : starred;
}

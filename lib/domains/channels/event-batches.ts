/** Channels or subscriptions per event. */
export const MAX_LISTED_USERS = 100;
/** Subscriber IDs per event, unless it contains a single channel: some tens of kilobytes. */
const MOST_NAMED = 10_000;

/** An item to send to users, and the number of subscriber IDs in it. */
interface Addressed<T> {
  users: readonly number[];
  item: T;
  named?: number;
}

/** Merges items for the same users into few events. Keeps the order of the items for each list of users. */
export function batchEvents<T>(told: Iterable<Addressed<T>>): { users: readonly number[]; items: T[] }[] {
  const events: { users: readonly number[]; items: T[]; named: number }[] = [];
  const open = new Map<string, (typeof events)[number]>();
  for (const { users, item, named = 0 } of told) {
    if (users.length === 0) continue;
    const key = users.join();
    const event = open.get(key);
    if (event && event.items.length < MAX_LISTED_USERS && event.named + named <= MOST_NAMED) {
      event.items.push(item);
      event.named += named;
    } else {
      const next = { users, items: [item], named };
      open.set(key, next);
      events.push(next);
    }
  }
  return events;
}

/** Of channels, or subscriptions, in one event. */
export const MOST_SHOWN = 100;
/** Subscribers that one event names, unless it is about one channel: some tens of kilobytes of ids. */
const MOST_NAMED = 10_000;

/** Something that people are told, and how many subscribers it names. */
interface Told<T> {
  users: readonly number[];
  item: T;
  named?: number;
}

/** What the same people are told of several channels, as few events can say it; in order for each of them. */
export function toldTogether<T>(told: Iterable<Told<T>>): { users: readonly number[]; items: T[] }[] {
  const events: { users: readonly number[]; items: T[]; named: number }[] = [];
  const open = new Map<string, (typeof events)[number]>();
  for (const { users, item, named = 0 } of told) {
    if (users.length === 0) continue;
    const key = users.join();
    const event = open.get(key);
    if (event && event.items.length < MOST_SHOWN && event.named + named <= MOST_NAMED) {
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

/** Splits items into parts of at most `max` in total weight, in their order. A heavier item is a part of its own. */
export function chunked<T>(items: Iterable<T>, max: number, weightOf: (item: T) => number = () => 1): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of items) {
    const weight = weightOf(item);
    const part = parts.at(-1);
    if (part && weight <= room) part.push(item);
    else {
      parts.push([item]);
      room = max;
    }
    room -= weight;
  }
  return parts;
}

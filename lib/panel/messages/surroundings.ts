/** Results of a search with the messages around them. */
import type { Message } from '../../client/store/types.ts';
import type { Surroundings } from './list-context.ts';

/** Messages before a result, and after it. */
const AROUND = 2;

/** @param listed the messages of the conversation of an open result */
export function arranged(
  results: readonly Message[],
  listed: (id: number) => readonly Message[],
): ReturnType<Surroundings['arrange']> {
  const seen = new Set(results.map(({ id }) => id));
  const messages: Message[] = [];
  const heads = new Map<number, number>();
  const around = new Set<number>();
  for (const result of results) {
    const all = listed(result.id);
    const at = all.findIndex(({ id }) => id === result.id);
    const isNew = ({ id }: Message) => {
      if (seen.has(id)) return false;
      seen.add(id);
      around.add(id);
      return true;
    };
    const before = at < 0 ? [] : all.slice(Math.max(0, at - AROUND), at).filter(isNew);
    const after = at < 0 ? [] : all.slice(at + 1, at + 1 + AROUND).filter(isNew);
    heads.set((before[0] ?? result).id, result.id);
    messages.push(...before, result, ...after);
  }
  return { messages, heads, around };
}

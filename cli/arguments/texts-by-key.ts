import { UsageError } from '../failure.ts';

/** `visits=3`, several. What follows the first equals sign is the text as it is. */
export function textsByKey(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw new UsageError(`"${text}" must be a key and a text: visits=3.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

import { UsageError } from '../failure.ts';

/** `visits=3`, repeatable. The text begins after the first equals sign. */
export function textsByKey(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw new UsageError(`"${text}" must be KEY=TEXT, for example visits=3.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

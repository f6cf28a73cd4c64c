import { RE2JS } from 're2js';

/** Lists of patterns: `*` is any text, `?` one character, `[ab]` one of these, `[!ab]` another one. */
export interface EventFilter {
  only_events?: readonly string[] | undefined;
  exclude_events?: readonly string[] | undefined;
}

/** Whether an event passes. A pattern matches it with or without its action: `issues` matches `issues.opened`. */
export function passes(event: string, { only_events, exclude_events }: EventFilter): boolean {
  const names = [event, event.replace(/\..*$/s, '')];
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, names));
  if (only_events && !isIn(only_events)) return false;
  return !exclude_events || !isIn(exclude_events);
}

/** In linear time: the owner of the URL chooses the patterns. */
function matches(pattern: string, names: readonly string[]): boolean {
  if (!/[*?[]/.test(pattern)) return names.includes(pattern);
  const source = pattern.replace(/\[(!?)([^\]]+)\]|[\s\S]/gu, (sign, negates: string, signs: string | undefined) => {
    if (signs !== undefined) return `[${negates ? '^' : ''}${signs.replace(/[\\^[\]&~-]/g, '\\$&')}]`;
    if (sign === '*') return '.*';
    return sign === '?' ? '.' : RE2JS.quote(sign);
  });
  const compiled = RE2JS.compile(source, RE2JS.DOTALL);
  return names.some((name) => compiled.matches(name));
}

import { oneLine } from './sanitize.ts';

export type NarrowTerm =
  | readonly [operator: string, operand: unknown]
  | { readonly operator: string; readonly operand: unknown; readonly negated?: boolean };

/** Terms that set where to search. Without them, the API searches the messages you received. */
const PLACE = /^(channels?|streams?|dm|pm-with|dm-including|group-pm-with|id|with):/;

const quoted = (text: string) => (text.includes('"') ? text : `"${text}"`);

/** In the order of the sentence. */
const PHRASES: readonly (readonly [term: RegExp, words: (operand: string) => string])[] = [
  [/^(channel|stream):/, (operand) => `in the channel ${quoted(operand)}`],
  [/^(topic|subject):/, (operand) => `in the topic ${quoted(operand)}`],
  [/^(dm|pm-with):/, (operand) => `between you and ${operand}`],
  [/^(sender|from):/, (operand) => `by ${operand === 'me' ? 'you' : operand}`],
  [/^search:/, (operand) => `with ${quoted(operand)}`],
];

const CLAUSES: Readonly<Record<string, string>> = {
  'is:mentioned': 'mention you',
  'is:starred': 'you have starred',
  'is:unread': 'you have not read',
};

/** A narrow as the end of a sentence about messages: `in the channel "general" with "soup"`. */
export function narrowWords(narrow: readonly NarrowTerm[]): string {
  const terms = narrow.map((term) => {
    const { operator, operand, negated = false } = 'operator' in term ? term : { operator: term[0], operand: term[1] };
    const text = oneLine(String(operand));
    const written = `${negated ? '-' : ''}${operator}:${text}`;
    return { written, text, at: PHRASES.findIndex(([known]) => known.test(written)) };
  });
  const phrases = PHRASES.flatMap(([, words], at) => terms.flatMap((term) => (term.at === at ? words(term.text) : [])));
  const hasPlace = terms.some(({ written }) => PLACE.test(written));
  const rest = terms.flatMap(({ at, written }) => (at < 0 ? written : []));
  const clauses = rest.flatMap((written) => CLAUSES[written] ?? []);
  const others = rest.filter((written) => CLAUSES[written] === undefined);
  if (others.length > 0) clauses.push(`match ${others.join(' ')}`);
  return [
    ...phrases,
    ...(hasPlace ? [] : ['in the messages you received']),
    ...(clauses.length > 0 ? [`that ${clauses.join(' and ')}`] : []),
  ].join(' ');
}

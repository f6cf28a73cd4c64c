/** What a user types into the search field: words, and filters such as `from:ada`, `in:general` and `has:image`. */
import type { ChatStore } from '../../client/store/types.ts';
import { quoted } from './hooks.ts';
import type { SearchTerm } from './routes.ts';

/** A filter that does not match one user or one channel. */
export class UnknownFilter extends Error {
  constructor(
    readonly kind: 'person' | 'channel' | 'has' | 'is',
    readonly given: string,
  ) {
    super(`Unknown filter: ${given}`);
  }
}

/** Part of a query. `kind` is `words` for text without a filter. */
interface QueryPart {
  readonly kind: 'from' | 'in' | 'topic' | 'has' | 'is' | 'words';
  readonly text: string;
}

/** The rest of a longer query has no effect. */
export const MAX_QUERY_LENGTH = 300;

const HAS_OPERANDS = ['link', 'image', 'attachment', 'reaction'] as const;
const IS_OPERANDS = ['dm', 'starred', 'mentioned', 'unread', 'resolved', 'followed', 'alerted'] as const;

/** Filters first, then all words as one part. Values with spaces are in quotation marks: `from:"Ada Lovelace"`. */
export function partsOfQuery(query: string): readonly QueryPart[] {
  const filters: QueryPart[] = [];
  const words: string[] = [];
  for (const [piece] of query.slice(0, MAX_QUERY_LENGTH).matchAll(/(?:from|in|topic|has|is):"[^"]*"|"[^"]*"|\S+/g)) {
    const [, kind, text] = /^(from|in|topic|has|is):(.+)$/s.exec(piece) ?? [];
    if (kind && text) filters.push({ kind: kind as QueryPart['kind'], text: text.replaceAll('"', '') });
    else words.push(piece);
  }
  const parts = filters.filter(({ text }) => text.trim() !== '');
  return words.length > 0 ? [...parts, { kind: 'words', text: words.join(' ') }] : parts;
}

/**
 * The terms of a query, with the IDs of users and channels.
 * @throws UnknownFilter
 */
export async function termsOfQuery(query: string, store: ChatStore): Promise<readonly SearchTerm[]> {
  return Promise.all(partsOfQuery(query).map((part) => termOf(part, store)));
}

async function termOf({ kind, text }: QueryPart, store: ChatStore): Promise<SearchTerm> {
  switch (kind) {
    case 'from':
      return ['sender', await userIdOf(text, store)];
    case 'in':
      return ['channel', await channelIdOf(text, store)];
    case 'topic':
      return ['topic', text];
    case 'has':
      return ['has', knownWord('has', text, HAS_OPERANDS)];
    case 'is':
      return ['is', knownWord('is', text, IS_OPERANDS)];
    case 'words':
      return ['search', text];
  }
}

function knownWord(kind: 'has' | 'is', given: string, known: readonly string[]): string {
  const word = given.toLowerCase().replace(/s$/, '');
  const found = known.find((name) => name === given.toLowerCase() || name === word);
  if (!found) throw new UnknownFilter(kind, given);
  return found;
}

async function userIdOf(text: string, store: ChatStore): Promise<number> {
  const me = store.me.get();
  if (me && text.toLowerCase() === 'me') return me.user_id;
  const name = text.replace(/^@/, '').toLowerCase();
  const found = await store.people.search(name);
  const user = found.find(({ full_name, email }) => full_name.toLowerCase() === name || email === name) ?? found[0];
  if (user) return user.user_id;
  // Searches of people may leave the own account out.
  if (me?.full_name.toLowerCase().startsWith(name)) return me.user_id;
  throw new UnknownFilter('person', text);
}

async function channelIdOf(text: string, store: ChatStore): Promise<number> {
  const name = text.replace(/^#/, '').toLowerCase();
  const isNamed = (channel: { name: string }) => channel.name.toLowerCase() === name;
  const known = [...store.channels.get().values()].find(isNamed);
  if (known) return known.stream_id;
  const found = await store.channels.search(name);
  const channel = found.find(isNamed) ?? found[0];
  if (!channel) throw new UnknownFilter('channel', text);
  return channel.stream_id;
}

/** The query with these terms, for the search field. */
export function queryOf(terms: readonly SearchTerm[], names: QueryNames): string {
  return terms.map((term) => queryPart(term, names)).join(' ');
}

interface QueryNames {
  person(id: number): string | undefined;
  channel(id: number): string | undefined;
}

function queryPart([operator, operand]: SearchTerm, names: QueryNames): string {
  if (operator === 'search') return String(operand);
  const name = (find: (id: number) => string | undefined) =>
    quoted((typeof operand === 'number' ? find(operand) : undefined) ?? String(operand));
  if (operator === 'sender') return `from:${name(names.person)}`;
  if (operator === 'channel') return `in:${name(names.channel)}`;
  return `${operator}:${quoted(String(operand))}`;
}

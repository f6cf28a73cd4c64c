/** What a user types into the search field: words, and filters such as `from:ada`, `in:general` and `has:image`. */
import type { ChatStore } from '../../client/store/types.ts';
import { quoted } from './hooks.ts';
import type { SearchTerm } from './routes.ts';

/** A filter that does not exist, or whose value is none. */
export class UnknownFilter extends Error {
  constructor(
    readonly kind: 'person' | 'channel' | 'message' | 'filter',
    readonly given: string,
  ) {
    super(`Unknown filter: ${given}`);
  }
}

/** Names of filters, and the operators of the API that they are. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ from: 'sender', sender: 'sender', in: 'channel', channel: 'channel', stream: 'channel' },
  ...{ channels: 'channels', streams: 'channels', topic: 'topic', subject: 'topic', dm: 'dm', 'pm-with': 'dm' },
  ...{ 'dm-including': 'dm-including', 'group-pm-with': 'dm-including', has: 'has', is: 'is' },
  ...{ id: 'id', near: 'near', with: 'with', search: 'search' },
};

/** Part of a query. `operator` is `words` for text without a filter. */
interface QueryPart {
  readonly operator: string;
  readonly text: string;
  readonly isNegated: boolean;
}

/** The rest of a longer query has no effect. */
export const MAX_QUERY_LENGTH = 300;

/** Values of filters. */
export const WORDS_OF = {
  has: ['link', 'image', 'attachment', 'reaction'],
  is: ['dm', 'starred', 'mentioned', 'unread', 'read', 'resolved', 'followed', 'muted', 'alerted'],
  channels: ['public', 'web-public', 'archived'],
} as const;

/** A quoted value may contain `\"` and `\\`. */
const PIECE = /-?[a-z][a-z-]*:"(?:[^"\\]|\\.)*"|"[^"]*"|\S+/gi;
const FILTER = /^(-?)([a-z][a-z-]*):(.+)$/is;
/** `https://example.com` is no filter. */
const ADDRESS = /^[a-z-]+:\/\//i;

/**
 * Filters first, then all words as one part. Values with spaces are in quotation marks: `from:"Ada Lovelace"`.
 * @throws UnknownFilter
 */
export function partsOfQuery(query: string): readonly QueryPart[] {
  const filters: QueryPart[] = [];
  const words: string[] = [];
  for (const [piece] of query.slice(0, MAX_QUERY_LENGTH).matchAll(PIECE)) {
    const [, minus, name = '', value = ''] = (ADDRESS.test(piece) ? undefined : FILTER.exec(piece)) ?? [];
    if (!name) words.push(piece);
    else {
      const operator = Object.hasOwn(OPERATORS, name.toLowerCase()) ? OPERATORS[name.toLowerCase()] : undefined;
      if (operator === undefined) throw new UnknownFilter('filter', piece);
      filters.push({ operator, text: unquoted(value), isNegated: minus === '-' });
    }
  }
  const parts = filters.filter(({ text }) => text.trim() !== '');
  return words.length > 0 ? [...parts, { operator: 'words', text: words.join(' '), isNegated: false }] : parts;
}

const unquoted = (value: string) =>
  /^".*"$/s.test(value) && value.length > 1 ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value.replace(/^"/, '');

/**
 * The terms of a query, with the IDs of users and channels.
 * @throws UnknownFilter
 */
export async function termsOfQuery(query: string, store: ChatStore): Promise<readonly SearchTerm[]> {
  return Promise.all(
    partsOfQuery(query).map(async ({ operator, text, isNegated }): Promise<SearchTerm> => {
      const [name, operand] = await termOf(operator, text, store);
      return [isNegated ? `-${name}` : name, operand];
    }),
  );
}

async function termOf(operator: string, text: string, store: ChatStore): Promise<SearchTerm> {
  switch (operator) {
    case 'sender':
    case 'dm-including':
      return [operator, await userIdOf(text, store)];
    case 'dm': {
      const people = text.split(',').filter((name) => name.trim() !== '');
      return [operator, await Promise.all(people.map((name) => userIdOf(name.trim(), store)))];
    }
    case 'channel':
      return channelTermOf(text, store);
    case 'has':
    case 'is':
    case 'channels':
      return [operator, knownWord(operator, text)];
    case 'id':
    case 'near':
    case 'with':
      if (!/^\d{1,15}$/.test(text)) throw new UnknownFilter('message', text);
      return [operator, Number(text)];
    case 'words':
      return ['search', text];
    default:
      return [operator, text];
  }
}

/** The API knows `in:home` and `in:all`. A channel of this name comes first. */
async function channelTermOf(text: string, store: ChatStore): Promise<SearchTerm> {
  try {
    return ['channel', await channelIdOf(text, store)];
  } catch (error) {
    if (error instanceof UnknownFilter && /^(home|all)$/i.test(text)) return ['in', text.toLowerCase()];
    throw error;
  }
}

function knownWord(operator: 'has' | 'is' | 'channels', given: string): string {
  const known: readonly string[] = WORDS_OF[operator];
  const word = given.toLowerCase().replace(/s$/, '');
  const found = known.find((name) => name === given.toLowerCase() || name === word);
  if (!found) throw new UnknownFilter('filter', `${operator}:${given}`);
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
  const isNamed = (channel: { name: string }) => [name, text.toLowerCase()].includes(channel.name.toLowerCase());
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

function queryPart([given, operand]: SearchTerm, names: QueryNames): string {
  const minus = given.startsWith('-') ? '-' : '';
  const operator = given.slice(minus.length);
  if (operator === 'search') return minus ? `-search:${quoted(String(operand))}` : String(operand);
  const people = operator === 'sender' || operator.startsWith('dm');
  const named = (id: string | number) => {
    const name = people ? names.person : operator === 'channel' ? names.channel : undefined;
    return (typeof id === 'number' ? name?.(id) : undefined) ?? String(id);
  };
  const value = typeof operand === 'object' ? operand.map(named).join(',') : named(operand);
  const shown = { sender: 'from', channel: 'in' }[operator] ?? operator;
  return `${minus}${shown}:${quoted(value)}`;
}

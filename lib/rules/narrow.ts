import { BadNarrow } from '../base/errors.ts';
import { itemsOf, readSearch, type Search } from './search.ts';

/** A term in a request: `{ operator, operand, negated? }`, or the older array form. */
export type GivenTerm =
  | readonly [operator: string, operand: unknown, negated?: boolean]
  | { readonly operator: string; readonly operand: unknown; readonly negated?: boolean | undefined };

type Flag = 'starred' | 'mentioned' | 'wildcard_mentioned' | 'has_alert_word';
type ChannelKind = 'public' | 'web-public' | 'archived';
type Feature = 'link' | 'image' | 'attachment' | 'reaction';

/** The condition of one term. Names and addresses are not looked up yet. */
export type NarrowTest =
  | { readonly test: 'channel'; readonly channel: string | number }
  | { readonly test: 'channel kind'; readonly kind: ChannelKind }
  | { readonly test: 'topic'; readonly topic: string }
  | { readonly test: 'direct' }
  | { readonly test: 'resolved' }
  | { readonly test: 'muted' }
  | { readonly test: 'followed' }
  | { readonly test: 'unread' }
  | { readonly test: 'direct with'; readonly people: readonly (string | number)[] }
  | { readonly test: 'direct including'; readonly person: string | number; readonly group: boolean }
  | { readonly test: 'sender'; readonly person: string | number }
  | { readonly test: 'flagged'; readonly flags: readonly Flag[] }
  | { readonly test: 'has'; readonly feature: Feature }
  | { readonly test: 'id'; readonly id: number }
  | { readonly test: 'with'; readonly id: number }
  | { readonly test: 'words'; readonly search: Search };

export type NarrowTerm = NarrowTest & { readonly negated: boolean };

/** `undefined`: no condition on messages. `opposite`: the term means the negation of the test. */
type Reading = (NarrowTest & { readonly opposite?: true }) | undefined;

/** Words and phrases in all searches of a narrow, and the parts that they are split into. */
const MAX_WORDS = 20;
const MAX_WORD_PARTS = 60;

type ReadOperand = (operator: string, operand: unknown) => Reading;

/** Operators and their older names. */
const OPERATORS = {
  channel: (name, operand) => ({ test: 'channel', channel: nameOrId(name, operand) }),
  stream: (name, operand) => ({ test: 'channel', channel: nameOrId(name, operand) }),
  channels: (name, operand) => word(name, operand, CHANNEL_KINDS),
  streams: (name, operand) => word(name, operand, CHANNEL_KINDS),
  topic: (name, operand) => ({ test: 'topic', topic: String(nameOrId(name, operand, { empty: true })) }),
  subject: (name, operand) => ({ test: 'topic', topic: String(nameOrId(name, operand, { empty: true })) }),
  dm: (name, operand) => ({ test: 'direct with', people: peopleOf(name, operand) }),
  'pm-with': (name, operand) => ({ test: 'direct with', people: peopleOf(name, operand) }),
  'dm-including': (name, operand) => ({ test: 'direct including', person: person(name, operand), group: false }),
  'group-pm-with': (name, operand) => ({ test: 'direct including', person: person(name, operand), group: true }),
  sender: (name, operand) => ({ test: 'sender', person: person(name, operand) }),
  from: (name, operand) => ({ test: 'sender', person: person(name, operand) }),
  is: (name, operand) => word(name, operand, IS_OPERANDS),
  has: (name, operand) => word(name, operand, HAS_OPERANDS),
  in: (name, operand) => word(name, operand, IN_OPERANDS),
  id: (name, operand) => ({ test: 'id', id: idOf(name, operand) }),
  with: (name, operand) => ({ test: 'with', id: idOf(name, operand) }),
  // The anchor handles the position.
  near: () => undefined,
  search: (name, operand) => ({ test: 'words', search: searchOf(name, operand) }),
} satisfies Record<string, ReadOperand>;

/**
 * What a filter of messages is about. Deprecated: `stream`, `streams`, `subject`, `from`, `pm-with` and `group-pm-with`.
 */
export type NarrowOperator = keyof typeof OPERATORS;

const readers: ReadonlyMap<string, ReadOperand> = new Map(Object.entries(OPERATORS));

const CHANNEL_KINDS: Readonly<Record<string, Reading>> = {
  public: { test: 'channel kind', kind: 'public' },
  'web-public': { test: 'channel kind', kind: 'web-public' },
  archived: { test: 'channel kind', kind: 'archived' },
};
const IS_OPERANDS: Readonly<Record<string, Reading>> = {
  dm: { test: 'direct' },
  private: { test: 'direct' },
  starred: { test: 'flagged', flags: ['starred'] },
  mentioned: { test: 'flagged', flags: ['mentioned', 'wildcard_mentioned'] },
  alerted: { test: 'flagged', flags: ['has_alert_word'] },
  unread: { test: 'unread' },
  read: { test: 'unread', opposite: true },
  resolved: { test: 'resolved' },
  followed: { test: 'followed' },
  muted: { test: 'muted' },
};
const HAS_OPERANDS: Readonly<Record<string, Reading>> = {
  link: { test: 'has', feature: 'link' },
  image: { test: 'has', feature: 'image' },
  attachment: { test: 'has', feature: 'attachment' },
  reaction: { test: 'has', feature: 'reaction' },
};
const IN_OPERANDS: Readonly<Record<string, Reading>> = { home: { test: 'muted', opposite: true }, all: undefined };

/** The test of `is:followed` and the like. */
export const testOfState = (state: string) =>
  Object.hasOwn(IS_OPERANDS, state) ? IS_OPERANDS[state]?.test : undefined;

/** @throws BadNarrow for invalid or contradictory terms */
export function readNarrow(given: readonly GivenTerm[]): NarrowTerm[] {
  const terms: NarrowTerm[] = [];
  let words = 0;
  for (const term of given) {
    const [operator, operand, negated = false] = isPair(term) ? term : [term.operator, term.operand, term.negated];
    const read = readers.get(operator.toLowerCase());
    if (!read) throw new BadNarrow(`unknown operator "${operator}"`);
    const reading = read(operator.toLowerCase(), operand);
    if (!reading) continue;
    const { opposite = false, ...test } = reading;
    if (test.test === 'words') words += itemsOf(String(operand)).length;
    terms.push({ ...test, negated: negated !== opposite } as NarrowTerm);
  }
  const parts = terms.reduce((sum, term) => sum + (term.test === 'words' ? term.search.words.length : 0), 0);
  if (words > MAX_WORDS || parts > MAX_WORD_PARTS) throw new BadNarrow(`a search takes at most ${MAX_WORDS} words`);
  if (terms.some(isOfChannels) && terms.some(isOfDirects))
    throw new BadNarrow('no message is both in a channel and a direct message');
  return terms;
}

function isOfChannels({ test, negated }: NarrowTerm): boolean {
  if (test === 'direct') return negated;
  return !negated && ['channel', 'channel kind', 'topic', 'resolved', 'followed'].includes(test);
}

function isOfDirects({ test, negated }: NarrowTerm): boolean {
  return !negated && ['direct', 'direct with', 'direct including'].includes(test);
}

function isPair(term: GivenTerm): term is readonly [string, unknown, boolean?] {
  return Array.isArray(term);
}

function word(operator: string, operand: unknown, words: Readonly<Record<string, Reading>>): Reading {
  if (typeof operand !== 'string' || !Object.hasOwn(words, operand.toLowerCase()))
    throw new BadNarrow(`unknown operand of "${operator}": ${JSON.stringify(operand)}`);
  return words[operand.toLowerCase()];
}

function nameOrId(operator: string, operand: unknown, { empty = false } = {}): string | number {
  if (typeof operand === 'number') return operand;
  if (typeof operand !== 'string' || (operand.trim() === '' && !empty))
    throw new BadNarrow(`"${operator}" takes a name or an ID`);
  return operand.trim();
}

function person(operator: string, operand: unknown): string | number {
  const [first, ...more] = peopleOf(operator, operand);
  if (first === undefined || more.length > 0) throw new BadNarrow(`"${operator}" takes the ID or address of one user`);
  return first;
}

/** IDs and addresses: a single value, a list, or a string with commas. */
function peopleOf(operator: string, operand: unknown): (string | number)[] {
  const list = Array.isArray(operand) ? operand : typeof operand === 'string' ? operand.split(',') : [operand];
  const refusal = new BadNarrow(`"${operator}" takes IDs or addresses of users`);
  const people = list.flatMap((person): (string | number)[] => {
    if (typeof person === 'number') return [person];
    if (typeof person !== 'string') throw refusal;
    const text = person.trim();
    if (text === '') return [];
    if (isId(text)) return [Number(text)];
    return [text.toLowerCase() === 'me' ? 'me' : text];
  });
  if (people.length === 0) throw refusal;
  return people;
}

export function isId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

function idOf(operator: string, operand: unknown): number {
  if (typeof operand === 'number') return operand;
  if (typeof operand !== 'string' || !isId(operand.trim())) throw new BadNarrow(`"${operator}" takes a message ID`);
  return Number(operand);
}

function searchOf(operator: string, operand: unknown): Search {
  if (typeof operand !== 'string' && typeof operand !== 'number') throw new BadNarrow(`"${operator}" takes text`);
  const said = itemsOf(String(operand)).filter((item) => item.replaceAll('"', '').trim() !== '');
  if (said.length === 0) throw new BadNarrow(`"${operator}" takes words to look for`);
  return readSearch(said.join(' '));
}

/**
 * HTML fragments that show that a message contains a link, image or attachment. One fragment is enough. Users cannot
 * fake them, because angle brackets and quotation marks in messages are escaped.
 * @param organization with the path at which the chat is mounted
 */
export function contentSigns(
  feature: 'link' | 'image' | 'attachment',
  { site_path = '' }: { readonly site_path?: string },
): readonly string[] {
  switch (feature) {
    case 'link':
      return ['<a href="'];
    case 'image':
      return ['<div class="message_inline_image">', '<div class="youtube-video message_inline_image">'];
    default:
      return [`="${site_path}/user_uploads/`];
  }
}

/** URLs of conversations in a client, with `#narrow`. */

export function channelAddress(id: number, name: string): string {
  return `/#narrow/channel/${id}-${hashComponent(name.replaceAll(' ', '-'))}`;
}

export function topicAddress(id: number, name: string, topic: string): string {
  return `${channelAddress(id, name)}/topic/${hashComponent(topic)}`;
}

/** URL of the direct conversation with these users. The reader may be included. */
export function directAddress(userIds: readonly number[]): string {
  return `/#narrow/dm/${userIds.join(',')}`;
}

/** Percent encoding with dots for percent signs. */
function hashComponent(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}

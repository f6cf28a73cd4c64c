import { plainLetters } from '../../rules/plain-letters.ts';
import { emojiCharacter } from './emoji.ts';
import { isTopicPlace } from './places.ts';
import type { Channel, ChatStore, Person, Place, Suggestion } from './types.ts';

const MAX_SUGGESTIONS = 8;
/** Code units before the caret that can belong to the word. */
const LONGEST_WORD = 80;

/** The word at the caret: what it completes, where it begins, and what is typed of it. */
interface Word {
  readonly kind: 'mention' | 'emoji' | 'channel' | 'topic' | 'command';
  readonly from: number;
  readonly query: string;
  /** Of a topic. */
  readonly channel?: string;
}

/** Names start with a letter or a digit, so `:-D` and `#` get no completions. */
const EMOJI_NAME = /^(?:[+-]1|[a-z\d][\w+-]{1,39})$/i;
const NAME = /^[\p{L}\p{N}]/u;

/** What a message can start with. The server makes a poll or a to-do list of it. */
const COMMANDS = [{ name: '/poll' }, { name: '/todo' }];

/**
 * Finds the word that can be completed. It begins with @, # or : after a space or a bracket, or with / at the start of the
 * message.
 */
export function wordAt(text: string, caret: number): Word | undefined {
  const command = /^\/[a-z]{0,8}$/i.exec(text.slice(0, caret));
  if (command) return { kind: 'command', from: 0, query: command[0] };
  const start = Math.max(0, caret - LONGEST_WORD);
  const before = text.slice(start, caret);
  for (let at = before.length - 1; at >= 0; at--) {
    const sign = before.charAt(at);
    if (sign === '\n') return undefined;
    if (!'@#:'.includes(sign) || !(at === 0 ? start === 0 : /[\s([{"'>*_~]/.test(before.charAt(at - 1)))) continue;
    const rest = before.slice(at + 1);
    const from = start + at;
    if (sign === ':') return EMOJI_NAME.test(rest) ? { kind: 'emoji', from, query: rest.toLowerCase() } : undefined;
    const query = rest.replace(/^_?\*{0,2}/, '');
    if (query.includes('**') || !NAME.test(query)) return undefined;
    if (sign === '@') return { kind: 'mention', from, query };
    const [, channel, topic] = /^([^>]*)>(.*)$/.exec(query) ?? [];
    return channel === undefined || topic === undefined
      ? { kind: 'channel', from, query }
      : { kind: 'topic', from, query: topic, channel };
  }
  return undefined;
}

/**
 * Completions of the word at the caret: at most 8, best first. Before it asks the server, calls `onLoaded` with
 * completions from loaded data.
 * @throws ChatError
 */
export async function suggest(
  store: ChatStore,
  typed: { text: string; caret: number; place: Place },
  onLoaded: (loaded: readonly Suggestion[]) => void = () => {},
): Promise<readonly Suggestion[]> {
  const { text, caret, place } = typed;
  const word = wordAt(text, caret);
  if (!word) return [];
  const suggestions = (found: readonly Found[]) =>
    found.slice(0, MAX_SUGGESTIONS).map((suggestion) => ({ ...suggestion, from: word.from }));
  return suggestions(
    await SUGGESTERS[word.kind](word, { place, store, show: (found) => onLoaded(suggestions(found)) }),
  );
}

type Found = Omit<Suggestion, 'from'>;

interface Asked {
  readonly place: Place;
  readonly store: ChatStore;
  /** Shows what is loaded until the server has answered. */
  show(found: readonly Found[]): void;
}

/** The server returns at most this many users or channels. If it returns fewer, there are no more. */
const MAX_FOUND = 20;
const ANSWER_MS = 60_000;
const MAX_ANSWERS = 200;

interface Answer {
  readonly at: number;
  readonly found: readonly unknown[];
}

const answersOfStores = new WeakMap<ChatStore, Map<string, Answer>>();

interface Question<T> {
  readonly store: ChatStore;
  /** Kind of the search, as part of the cache key. */
  readonly subject: string;
  readonly query: string;
  ask(): Promise<readonly T[]>;
  matches(candidate: T, query: string): boolean;
}

/** Asks the server, unless an answer of the last minute has all matches of the query or of a prefix of it. */
async function asked<T>({ store, subject, query, ask, matches }: Question<T>): Promise<readonly T[]> {
  const answers = answersOfStores.get(store) ?? new Map<string, Answer>();
  answersOfStores.set(store, answers);
  const now = store.now();
  for (let length = query.length; length >= 0; length--) {
    const known = answers.get(`${subject} ${query.slice(0, length)}`);
    if (known && now - known.at < ANSWER_MS)
      return (known.found as readonly T[]).filter((candidate) => length === query.length || matches(candidate, query));
  }
  const found = await ask();
  if (answers.size >= MAX_ANSWERS) answers.clear();
  if (found.length < MAX_FOUND) answers.set(`${subject} ${query}`, { at: now, found });
  return found;
}

/** Whether each word of the query is a prefix of a word of the name, or the name contains the query. */
function isNamed(name: string, query: string): boolean {
  const [letters, wanted] = [plainLetters(name), plainLetters(query)];
  const starts = letters.split(/[^\p{L}\p{N}]+/u);
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (
    letters.includes(wanted) ||
    (words.length > 0 && words.every((word) => starts.some((start) => start.startsWith(word))))
  );
}

const isPerson = ({ full_name, email, delivery_email }: Person, query: string) =>
  isNamed(full_name, query) ||
  [email, delivery_email].some((address) => address?.toLowerCase().startsWith(query.toLowerCase()));

function mentionsOf(persons: readonly Person[], place: Place, query: string): Found[] {
  const wildcards = ['all', ...(isTopicPlace(place) ? ['channel', 'topic'] : [])].map((name) => ({ name }));
  const counts = new Map<string, number>();
  for (const { full_name } of persons) counts.set(full_name, (counts.get(full_name) ?? 0) + 1);
  return [
    ...persons.map((person): Found => {
      const isUnique = counts.get(person.full_name) === 1;
      const name = isUnique ? person.full_name : `${person.full_name}|${person.user_id}`;
      const detail = person.delivery_email ?? person.email;
      const insert = `@**${name}** `;
      return { kind: 'person', label: person.full_name, person, insert, ...(detail && { detail }) };
    }),
    ...starting(wildcards, query).map(
      ({ name }): Found => ({ kind: 'wildcard', label: name, insert: `@**${name}** ` }),
    ),
  ];
}

function channelsOf(channels: Iterable<Channel>): Found[] {
  return [...channels].map(({ name, description }) => ({
    kind: 'channel',
    label: name,
    detail: description,
    insert: `#**${name}** `,
  }));
}

const SUGGESTERS: Record<Word['kind'], (word: Word, asked: Asked) => Promise<Found[]>> = {
  async mention({ query }, { place, store, show }) {
    const { people } = store;
    const channel = isTopicPlace(place) ? { channelId: place.channelId } : {};
    const subject = `people ${channel.channelId ?? ''}`;
    show(
      mentionsOf(
        people.loaded().filter((person) => isPerson(person, query)),
        place,
        query,
      ),
    );
    const [persons, all] = await Promise.all([
      asked({ store, subject, query, ask: () => people.search(query, channel), matches: isPerson }),
      people.groups().catch(() => []),
    ]);
    return [
      ...mentionsOf(persons, place, query),
      ...starting(all, query).map(
        ({ name, description }): Found => ({ kind: 'group', label: name, detail: description, insert: `@*${name}* ` }),
      ),
    ];
  },
  async emoji({ query }, { store: { emoji } }) {
    const { codes } = await emoji.table();
    const custom = starting(emoji.custom.get().values(), query).map(({ name, code, url }): Found => {
      const reference = { emoji_name: name, emoji_code: code, reaction_type: 'realm_emoji' as const, url };
      return { kind: 'emoji', label: name, emoji: reference, insert: `:${name}: ` };
    });
    const named = [...codes].map(([name, code]) => ({ name, code }));
    const standard = starting(named, query).map(({ name, code }): Found => {
      const common = { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' as const };
      return {
        kind: 'emoji',
        label: name,
        emoji: { ...common, character: emojiCharacter(code) },
        insert: `:${name}: `,
      };
    });
    return [...custom, ...standard];
  },
  async command({ query }) {
    const offered = starting(COMMANDS, query);
    return offered.map(({ name }): Found => ({ kind: 'command', label: name, insert: `${name} ` }));
  },
  async channel({ query }, { store, show }) {
    const { channels } = store;
    show(channelsOf(starting(channels.get().values(), query)));
    const matches = ({ name }: Channel) => isNamed(name, query);
    return channelsOf(await asked({ store, subject: 'channels', query, ask: () => channels.search(query), matches }));
  },
  async topic({ query, channel = '' }, { store }) {
    const { channels, session } = store;
    const found = [...channels.get().values()].find(({ name }) => plainLetters(name) === plainLetters(channel));
    if (!found) return [];
    const { stream_id } = found;
    const ask = async () => [(await session.topics.list({ stream_id })).topics];
    const [topics = []] = await asked({ store, subject: `topics ${stream_id}`, query: '', ask, matches: () => true });
    return starting(topics, query).map(({ name }) => ({
      kind: 'topic',
      label: name,
      insert: `#**${found.name}>${name}** `,
    }));
  },
};

/** Those whose name begins with the query, then those that contain it. */
function starting<T extends { name: string }>(all: Iterable<T>, query: string): T[] {
  const wanted = plainLetters(query);
  const [first, second]: [T[], T[]] = [[], []];
  for (const candidate of all) {
    const at = plainLetters(candidate.name).indexOf(wanted);
    if (at === 0) first.push(candidate);
    else if (at > 0 && second.length < MAX_SUGGESTIONS) second.push(candidate);
    if (first.length === MAX_SUGGESTIONS) break;
  }
  return [...first, ...second];
}

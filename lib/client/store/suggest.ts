import { emojiCharacter } from './emoji.ts';
import { isTopicPlace } from './places.ts';
import type { ChatStore, Place, Suggestion } from './types.ts';

const MAX_SUGGESTIONS = 8;
/** Code units before the caret that can belong to the word. */
const LONGEST_WORD = 80;

/** The word at the caret: what it completes, where it begins, and what is typed of it. */
interface Word {
  readonly kind: 'mention' | 'emoji' | 'channel' | 'topic';
  readonly from: number;
  readonly query: string;
  /** Of a topic. */
  readonly channel?: string;
}

/** Finds the word that can be completed. It begins with @, # or : after a space or a bracket. */
export function wordAt(text: string, caret: number): Word | undefined {
  const start = Math.max(0, caret - LONGEST_WORD);
  const before = text.slice(start, caret);
  for (let at = before.length - 1; at >= 0; at--) {
    const sign = before[at] as string;
    if (sign === '\n') return undefined;
    if (!'@#:'.includes(sign) || !(at === 0 ? start === 0 : /[\s([{"'>*_~]/.test(before[at - 1] as string))) continue;
    const rest = before.slice(at + 1);
    const from = start + at;
    if (sign === ':')
      return /^[\w+-]{2,40}$/.test(rest) ? { kind: 'emoji', from, query: rest.toLowerCase() } : undefined;
    const query = rest.replace(/^_?\*{0,2}/, '');
    if (query.includes('**')) return undefined;
    if (sign === '@') return { kind: 'mention', from, query };
    const [, channel, topic] = /^([^>]*)>(.*)$/.exec(query) ?? [];
    return channel === undefined || topic === undefined
      ? { kind: 'channel', from, query }
      : { kind: 'topic', from, query: topic, channel };
  }
  return undefined;
}

/**
 * Completions of the word at the caret: at most 8, best first.
 * @throws ChatError
 */
export async function suggest(
  store: ChatStore,
  typed: { text: string; caret: number; place: Place },
): Promise<readonly Suggestion[]> {
  const { text, caret, place } = typed;
  const word = wordAt(text, caret);
  if (!word) return [];
  const found = await SUGGESTERS[word.kind](word, place, store);
  return found.slice(0, MAX_SUGGESTIONS).map((suggestion) => ({ ...suggestion, from: word.from }));
}

type Found = Omit<Suggestion, 'from'>;

const SUGGESTERS: Record<Word['kind'], (word: Word, place: Place, store: ChatStore) => Promise<Found[]>> = {
  async mention({ query }, place, { people }) {
    const channel = isTopicPlace(place) ? { channelId: place.channelId } : {};
    const [persons, all] = await Promise.all([people.search(query, channel), people.groups().catch(() => [])]);
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
      ...starting(all, query).map(
        ({ name, description }): Found => ({ kind: 'group', label: name, detail: description, insert: `@*${name}* ` }),
      ),
    ];
  },
  async emoji({ query }, _place, { emoji }) {
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
  async channel({ query }, _place, { channels }) {
    return (await channels.search(query)).map(({ name, description }) => ({
      kind: 'channel',
      label: name,
      detail: description,
      insert: `#**${name}** `,
    }));
  },
  async topic({ query, channel = '' }, _place, { channels, session }) {
    const found = [...channels.get().values()].find(({ name }) => spelled(name) === spelled(channel));
    if (!found) return [];
    const { topics } = await session.topics.list({ stream_id: found.stream_id });
    return starting(topics, query).map(({ name }) => ({
      kind: 'topic',
      label: name,
      insert: `#**${found.name}>${name}** `,
    }));
  },
};

const spelled = (name: string) => name.normalize('NFC').toLowerCase();

/** Those whose name begins with the query, then those that contain it. */
function starting<T extends { name: string }>(all: Iterable<T>, query: string): T[] {
  const wanted = spelled(query);
  const [first, second]: [T[], T[]] = [[], []];
  for (const candidate of all) {
    const at = spelled(candidate.name).indexOf(wanted);
    if (at === 0) first.push(candidate);
    else if (at > 0 && second.length < MAX_SUGGESTIONS) second.push(candidate);
    if (first.length === MAX_SUGGESTIONS) break;
  }
  return [...first, ...second];
}

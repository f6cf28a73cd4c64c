/** What the filter at the caret of the search field can be completed to. */
import type { ChatStore } from '../../client/store/types.ts';
import { quoted } from './hooks.ts';
import { termsOfQuery, WORDS_OF } from './search-query.ts';

export interface FilterSuggestion {
  readonly label: string;
  readonly detail?: string | undefined;
  /** Replaces the text from `from` to the caret by `insert`. */
  readonly from: number;
  readonly insert: string;
}

const MAX_SUGGESTIONS = 8;

const NAME = /(?:^|\s)(-?)([a-z][a-z-]*)$/i;
const VALUE = /(?:^|\s)(-?[a-z][a-z-]*):(?:"((?:[^"\\]|\\.)*)|([^\s"]*))$/i;

/** @param meanings of the filters, by name */
export async function suggestFilters(
  { text, caret, signal }: { text: string; caret: number; signal?: AbortSignal },
  store: ChatStore,
  meanings: Readonly<Record<string, string>>,
): Promise<readonly FilterSuggestion[]> {
  const before = text.slice(0, caret);
  const [, filter, inQuotes, plain] = VALUE.exec(before) ?? [];
  if (filter) {
    const value = inQuotes ?? plain ?? '';
    const from = before.lastIndexOf(`${filter}:`);
    const values = await valuesOf(
      filter.replace(/^-/, '').toLowerCase(),
      { value, earlier: before.slice(0, from) },
      { store, signal },
    );
    return values
      .slice(0, MAX_SUGGESTIONS)
      .map(([label, detail]) => ({ label, detail, from, insert: `${filter}:${quoted(label)} ` }));
  }
  const [, minus = '', name] = NAME.exec(before) ?? [];
  if (!name) return [];
  const names = Object.keys(meanings).filter((known) => known.startsWith(name.toLowerCase()));
  const from = caret - minus.length - name.length;
  return names.map((known) => ({
    label: `${minus}${known}:`,
    detail: meanings[known],
    from,
    insert: `${minus}${known}:`,
  }));
}

type Value = readonly [label: string, detail?: string | undefined];

interface Given {
  readonly value: string;
  /** The query before the filter. */
  readonly earlier: string;
}

async function valuesOf(
  filter: string,
  { value, earlier }: Given,
  { store, signal }: { store: ChatStore; signal: AbortSignal | undefined },
): Promise<readonly Value[]> {
  const starting = (words: readonly string[]) =>
    words.filter((word) => word.toLowerCase().startsWith(value.toLowerCase())).map((word): Value => [word]);
  const options = signal ? { signal } : {};
  switch (filter) {
    case 'has':
    case 'is':
    case 'channels':
      return starting(WORDS_OF[filter]);
    case 'from':
    case 'sender':
    case 'dm':
    case 'dm-including': {
      const people = await store.people.search(value, options);
      return [
        ...(filter === 'dm-including' ? [] : starting(['me'])),
        ...people.map(({ full_name, delivery_email }): Value => [full_name, delivery_email ?? undefined]),
      ];
    }
    case 'in':
    case 'channel':
    case 'stream':
      return (await store.channels.search(value, options)).map(({ name, description }): Value => [name, description]);
    case 'topic': {
      const terms = await termsOfQuery(earlier, store).catch(() => []);
      const channelId = terms.find(([operator]) => operator === 'channel')?.[1];
      if (typeof channelId !== 'number') return [];
      const { topics } = await store.session.topics.list({ stream_id: channelId }, options);
      return starting(topics.map(({ name }) => name));
    }
    default:
      return [];
  }
}

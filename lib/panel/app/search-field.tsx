/** The search field, and where it opens from. */

import { createContext, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { ErrorText, Form } from '../buttons.tsx';
import { usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { useAction } from './hooks.ts';
import { useRouter } from './router.tsx';
import { MAX_QUERY_LENGTH, termsOfQuery, UnknownFilter } from './search-query.ts';

/** Opens the search field with this query. */
export const SearchContext = createContext<(query: string) => void>(() => {});

export const useSearch = () => useContext(SearchContext);

interface SearchFieldProps {
  initial?: string;
  /** Focus it when it appears. */
  isFocused?: boolean;
  onDone?(): void;
}

export function SearchField({ initial = '', isFocused, onDone }: SearchFieldProps): JSX.Element {
  const { store, words } = usePanel();
  const { go } = useRouter();
  const [query, setQuery] = useState(initial);
  const action = useAction();
  const search = async () => {
    if (query.trim() === '') return;
    const isDone = await action.run(async () => {
      try {
        go({ view: 'search', terms: await termsOfQuery(query, store) });
      } catch (error) {
        throw error instanceof UnknownFilter ? new Error(refusal(error)) : error;
      }
    });
    if (isDone) onDone?.();
  };
  const refusal = ({ kind, given }: UnknownFilter) => {
    if (kind === 'person') return words.unknownPersonFilter(given);
    return kind === 'channel' ? words.unknownChannelFilter(given) : words.unknownFilter(`${kind}:${given}`);
  };
  return (
    <search class="search">
      <Form class="search-form" onSubmit={search}>
        <Icon name="search" />
        <input
          autofocus={isFocused}
          type="search"
          value={query}
          aria-label={words.search}
          placeholder={words.searchPlaceholder}
          maxLength={MAX_QUERY_LENGTH}
          autocomplete="off"
          enterkeyhint="search"
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </Form>
      <p class="field-hint">{words.searchHint}</p>
      <ErrorText action={action} />
    </search>
  );
}

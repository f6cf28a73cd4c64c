/** The search field, in a dialog and above the results. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorText, Form } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { useApp } from '../words/app-words.ts';
import { useAction } from './hooks.ts';
import { useRouter } from './router.tsx';
import type { Route, SearchTerm } from './routes.ts';
import { MAX_QUERY_LENGTH, queryOf, termsOfQuery, UnknownFilter } from './search-query.ts';
import { ShareLink } from './share-link.tsx';
import { ViewHeader } from './view-header.tsx';

interface SearchFieldProps {
  initial?: string;
  /** Focus it when it appears. */
  isFocused?: boolean;
  onDone?(): void;
}

function SearchField({ initial = '', isFocused, onDone }: SearchFieldProps): JSX.Element {
  const { store, words } = useApp();
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

export function SearchDialog({ initial, onClose }: { initial: string; onClose(): void }): JSX.Element {
  const { words } = useApp();
  return (
    <Dialog title={words.search} onClose={onClose}>
      <SearchField initial={initial} isFocused onDone={onClose} />
    </Dialog>
  );
}

export function SearchHeading({ route }: { route: Extract<Route, { view: 'search' }> }): JSX.Element {
  const { words } = useApp();
  const query = useSearchTitle(route.terms);
  return (
    <>
      <ViewHeader title={words.searchFor(query)} icon="search">
        <ShareLink />
      </ViewHeader>
      <SearchField key={query} initial={query} />
    </>
  );
}

/** The query with the names of its users and channels. */
function useSearchTitle(terms: readonly SearchTerm[]): string {
  const { store } = useApp();
  const senders = terms.flatMap(([operator, id]) => (operator === 'sender' && typeof id === 'number' ? [id] : []));
  const people = usePeople(senders);
  const channels = useCell(store.channels);
  return queryOf(terms, {
    person: (id) => people[senders.indexOf(id)]?.full_name,
    channel: (id) => channels.get(id)?.name,
  });
}

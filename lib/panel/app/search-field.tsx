/** The search field, in a dialog and above the results. */

import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ErrorText, Form } from '../buttons.tsx';
import { keepFocus } from '../composer/text.ts';
import { useCell, usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import suggestions from '../suggestions.css';
import { useSearchWords } from '../words/search-words.ts';
import { useAction, useDebounced } from './hooks.ts';
import lists from './lists.css';
import { useRouter } from './router.tsx';
import { INBOX, type Route, routeOfTerms, type SearchTerm } from './routes.ts';
import styles from './search-field.css';
import { MAX_QUERY_LENGTH, queryOf, termsOfQuery, UnknownFilter } from './search-query.ts';
import { type FilterSuggestion, suggestFilters } from './search-suggestions.ts';
import { ShareLink } from './share-link.tsx';
import { ViewHeader } from './view-header.tsx';

addStyles(suggestions, lists, styles);

interface SearchFieldProps {
  initial?: string;
  /** Focus it when it appears. */
  isFocused?: boolean;
  onDone?(): void;
  /** Below the field. */
  children?: ComponentChildren;
}

function SearchField({ initial = '', isFocused, onDone, children }: SearchFieldProps): JSX.Element {
  const { store, words } = useSearchWords();
  const { go } = useRouter();
  const [query, setQuery] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const action = useAction();
  const list = useSuggestions(field, { query, setQuery });
  const search = async () => {
    if (query.trim() === '') return;
    list.close();
    const isDone = await action.run(async () => {
      try {
        go(viewOf(await termsOfQuery(query, store)));
      } catch (error) {
        throw error instanceof UnknownFilter ? new Error(refusalOf(error, words)) : error;
      }
    });
    if (isDone) onDone?.();
  };
  const { shown, active } = list;
  return (
    <search class="search">
      <Form class="search-form" onSubmit={search}>
        <Icon name="search" />
        <input
          ref={field}
          autofocus={isFocused}
          type="search"
          value={query}
          aria-label={words.search}
          aria-autocomplete="list"
          {...(shown.length > 0 && { 'aria-controls': id })}
          {...(shown[active] && { 'aria-activedescendant': `${id}-${active}` })}
          placeholder={words.searchPlaceholder}
          maxLength={MAX_QUERY_LENGTH}
          autocomplete="off"
          enterkeyhint="search"
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            list.open();
          }}
          onKeyDown={(event) => {
            list.onKeyDown(event);
            if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !onDone) return;
            // The browser would only clear the field.
            event.preventDefault();
            onDone();
          }}
          onBlur={list.close}
        />
        <Suggestions id={id} list={list} />
      </Form>
      {children ?? <p class="field-hint">{words.searchHint}</p>}
      <ErrorText action={action} />
    </search>
  );
}

function Suggestions({ id, list }: { id: string; list: SuggestionList }): JSX.Element | null {
  const { words } = useSearchWords();
  if (list.shown.length === 0) return null;
  return (
    <div id={id} class="suggestions search-suggestions" role="listbox" aria-label={words.suggestions}>
      {list.shown.map(({ label, detail, insert }, index) => (
        <button
          key={insert}
          type="button"
          tabIndex={-1}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === list.active}
          onPointerDown={keepFocus}
          onClick={() => list.accept(index)}
        >
          <span>{label}</span> {detail && <span class="muted">{detail}</span>}
        </button>
      ))}
    </div>
  );
}

const refusalOf = ({ kind, given }: UnknownFilter, words: ReturnType<typeof useSearchWords>['words']) =>
  ({
    person: words.unknownPersonFilter,
    channel: words.unknownChannelFilter,
    message: words.unknownMessageFilter,
    filter: words.unknownFilter,
  })[kind](given);

/** The results stay a search, with the query above them, also where another view has the same messages. */
function viewOf(terms: readonly SearchTerm[]): Route {
  const route = routeOfTerms(terms);
  if (!route) return INBOX;
  const near = 'near' in route && route.near !== undefined ? { near: route.near } : {};
  return { view: 'search', terms: terms.filter(([operator]) => operator !== 'near'), ...near };
}

interface Query {
  readonly query: string;
  setQuery(query: string): void;
}

type SuggestionList = ReturnType<typeof useSuggestions>;

/** None is active at first: Enter searches. */
function useSuggestions(field: { readonly current: HTMLInputElement | null }, { query, setQuery }: Query) {
  const { store, words } = useSearchWords();
  const [{ isOpen, active }, setState] = useState({ isOpen: false, active: -1 });
  const [caret, setCaret] = useState<number>();
  const debounced = useDebounced(query);
  const found = useFetched(
    async (signal) => {
      if (!isOpen || debounced !== query) return [];
      return suggestFilters(
        { text: query, caret: field.current?.selectionStart ?? 0, signal },
        store,
        words.filterMeanings,
      );
    },
    [debounced, isOpen],
  );
  useLayoutEffect(() => {
    if (caret === undefined) return;
    field.current?.setSelectionRange(caret, caret);
    setCaret(undefined);
  }, [caret]);
  const shown: readonly FilterSuggestion[] = isOpen && debounced === query ? (found.value ?? []) : [];
  const close = () => setState({ isOpen: false, active: -1 });
  const accept = (index: number) => {
    const suggestion = shown[index];
    const area = field.current;
    if (!suggestion || !area) return;
    const end = area.selectionStart ?? query.length;
    setQuery(query.slice(0, suggestion.from) + suggestion.insert + query.slice(end));
    setCaret(suggestion.from + suggestion.insert.length);
    setState({ isOpen: true, active: -1 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0 || event.isComposing) return;
    const move = (by: number) => setState({ isOpen: true, active: (active + by + shown.length) % shown.length });
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(active < 0 ? 0 : -1);
    else if (active >= 0 && (event.key === 'Enter' || event.key === 'Tab')) accept(active);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { shown, active, open: () => setState({ isOpen: true, active: -1 }), close, accept, onKeyDown };
}

export function SearchDialog({ initial, onClose }: { initial: string; onClose(): void }): JSX.Element {
  const { words } = useSearchWords();
  return (
    <Dialog title={words.search} onClose={onClose}>
      <SearchField initial={initial} isFocused onDone={onClose} />
    </Dialog>
  );
}

export function SearchHeading({ route }: { route: Extract<Route, { view: 'search' }> }): JSX.Element {
  const { words } = useSearchWords();
  const query = useSearchTitle(route);
  return (
    <>
      <ViewHeader title={words.searchFor(query)} icon="search">
        <ShareLink />
      </ViewHeader>
      <SearchField key={query} initial={query}>
        <Filters route={route} />
      </SearchField>
    </>
  );
}

/** The parts of the query. A click removes one of them. */
function Filters({ route }: { route: Extract<Route, { view: 'search' }> }): JSX.Element {
  const { words } = useSearchWords();
  const { go } = useRouter();
  const names = useQueryNames(route.terms);
  const { near: _near, ...rest } = route;
  return (
    <ul class="chips" aria-label={words.filters}>
      {route.terms.map((term, index) => {
        const text = queryOf([term], names);
        const terms = route.terms.filter((_, other) => other !== index);
        return (
          <li key={text}>
            <button
              type="button"
              class="chip"
              aria-label={words.removeFilter(text)}
              onClick={() => go(terms.length > 0 ? { ...rest, terms } : INBOX)}
            >
              <span class="label">{text}</span>
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The query with the names of its users and channels. */
function useSearchTitle({ terms, near }: Extract<Route, { view: 'search' }>): string {
  return queryOf(near === undefined ? terms : [...terms, ['near', near]], useQueryNames(terms));
}

function useQueryNames(terms: readonly SearchTerm[]): Parameters<typeof queryOf>[1] {
  const { store } = useSearchWords();
  const people = terms.flatMap(([operator, operand]) => (/^-?(sender|dm)/.test(operator) ? [operand].flat() : []));
  const ids = people.filter((id) => typeof id === 'number');
  const found = usePeople(ids);
  const channels = useCell(store.channels);
  return {
    person: (id) => found[ids.indexOf(id)]?.full_name,
    channel: (id) => channels.get(id)?.name,
  };
}

/** The list of completions: names, emoji, channels, topics and commands. */
import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { suggest } from '../../client/store/suggest.ts';
import type { Place, Suggestion } from '../../client/store/types.ts';
import { addStyles } from '../style-sheets.ts';
import suggestions from '../suggestions.css';
import { useTools } from '../words/tools-words.ts';
import styles from './completion.css';
import { EmojiPicture } from './emoji-picture.tsx';
import { keepFocus, typeText } from './text.ts';

addStyles(suggestions, styles);

/** A completable word starts with one of these signs, at most this many code units before the caret. */
const MAX_COMPLETED_LENGTH = 80;
const COMPLETED = /[@:#][^\n]*$|^\/[a-z]*$/i;

/** Whether the word at the caret may be completed. */
function isCompletable({ value, selectionStart: caret, selectionEnd }: HTMLTextAreaElement): boolean {
  return caret === selectionEnd && COMPLETED.test(value.slice(Math.max(0, caret - MAX_COMPLETED_LENGTH), caret));
}

interface Offer {
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  /** Where the caret was. */
  readonly caret: number;
}

interface State {
  offer?: Offer | undefined;
  asked: number;
  /** The server has not answered. */
  isPending: boolean;
  /** A key that waits for the answer. */
  held: 'Enter' | 'Tab' | undefined;
}

/** Calls of the field. */
export interface CompletionHandle {
  /** The text or the caret changed. */
  refresh(): void;
  close(): void;
  /** True if the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

export interface CompletionProps {
  /** What the Enter key does if there is nothing to complete. */
  onEnter(): void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly place: Place;
  readonly handle: RefObject<CompletionHandle | null>;
}

export function Completion({ field, place, handle, onEnter }: CompletionProps): VNode | null {
  const { store, words, announce } = useTools();
  const id = useId();
  const [, render] = useReducer((count: number) => count + 1, 0);
  // Not state: keys can come faster than renderings.
  const state = useRef<State>({ asked: 0, isPending: false, held: undefined });
  const enter = useRef(onEnter);
  enter.current = onEnter;
  const listed = useRef<HTMLDivElement>(null);

  const actions = useMemo(() => {
    const show = (offer: Offer | undefined) => {
      if (offer === undefined && state.current.offer === undefined) return;
      state.current.offer = offer;
      render(0);
    };
    const stop = () =>
      Object.assign(state.current, { asked: state.current.asked + 1, isPending: false, held: undefined });
    const close = () => {
      stop();
      show(undefined);
    };
    const refresh = async () => {
      const area = field.current;
      if (!area || !isCompletable(area)) return close();
      const caret = area.selectionStart;
      // The same caret: the list is for this text.
      if (state.current.offer?.caret === caret && state.current.offer.suggestions.length > 0) return;
      stop();
      const { asked } = state.current;
      const wasOpen = state.current.offer !== undefined;
      const offer = (suggestions: readonly Suggestion[]) => {
        const before = state.current.offer;
        const chosen = before?.caret === caret ? before.suggestions[before.active]?.insert : undefined;
        const active = Math.max(
          0,
          suggestions.findIndex(({ insert }) => insert === chosen),
        );
        show(suggestions.length > 0 ? { suggestions, active, caret } : undefined);
      };
      state.current.isPending = true;
      const onLoaded = (loaded: readonly Suggestion[]) => {
        if (loaded.length > 0) offer(loaded);
      };
      const suggestions = await suggest(store, { text: area.value, caret, place }, onLoaded).catch(() => undefined);
      if (asked !== state.current.asked) return;
      const { held } = state.current;
      stop();
      // If the server does not answer, completions from loaded data stay.
      if (suggestions || state.current.offer?.caret !== caret) offer(suggestions ?? []);
      const count = state.current.offer?.suggestions.length ?? 0;
      if (held && count > 0) accept(0);
      else if (held === 'Enter') enter.current();
      else if (!wasOpen && count > 0) announce(words.suggestionCount(count));
    };
    /** False if the text has changed in the meantime. */
    const accept = (index: number): boolean => {
      const { offer } = state.current;
      const suggestion = offer?.suggestions[index];
      const area = field.current;
      close();
      if (!area || !offer || !suggestion) return false;
      const caret = area.selectionStart;
      const typed = area.value.slice(suggestion.from, caret).replace(/^\W+/, '').toLowerCase();
      if (caret !== offer.caret && !suggestion.label.toLowerCase().includes(typed)) return false;
      typeText(area, suggestion.from, caret, suggestion.insert);
      return true;
    };
    const onKeyDown = (event: KeyboardEvent): boolean => {
      const { offer, isPending } = state.current;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
      // The list may still be for a shorter text.
      const isCurrent = offer?.caret === field.current?.selectionStart;
      if (isPending && !isCurrent && (event.key === 'Enter' || event.key === 'Tab')) {
        state.current.held = event.key;
        event.preventDefault();
        event.stopPropagation();
        return true;
      }
      if (!offer) return false;
      const { active, suggestions } = offer;
      const move = (by: number) => show({ ...offer, active: (active + by + suggestions.length) % suggestions.length });
      if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Enter' || event.key === 'Tab') {
        if (!accept(active)) return false;
      } else if (event.key === 'Escape') close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    return { refresh: () => void refresh(), close, accept, onKeyDown };
  }, [store, words, announce, place]);
  useImperativeHandle(handle, () => actions, [actions]);

  const { offer } = state.current;
  useLayoutEffect(() => {
    const controls = { 'aria-controls': id, 'aria-activedescendant': `${id}-${offer?.active}` };
    for (const [name, value] of Object.entries(controls))
      if (offer) field.current?.setAttribute(name, value);
      else field.current?.removeAttribute(name);
  }, [offer]);
  useEffect(() => {
    listed.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [offer]);
  if (!offer) return null;
  return (
    <div
      ref={listed}
      id={id}
      class="suggestions completion"
      part="completion"
      role="listbox"
      aria-label={words.suggestions}
    >
      {offer.suggestions.map((suggestion, index) => (
        <Option
          key={suggestion.kind + suggestion.insert}
          id={`${id}-${index}`}
          suggestion={suggestion}
          isActive={index === offer.active}
          onClick={() => actions.accept(index)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onClick(): void;
}

function Option({ id, suggestion, isActive, onClick }: OptionProps): VNode {
  const { words } = useTools();
  const detail = suggestion.detail ?? words.commands[suggestion.label];
  return (
    <button
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={isActive}
      // The field keeps the focus.
      onPointerDown={keepFocus}
      onClick={onClick}
    >
      <SuggestionPicture suggestion={suggestion} />
      <span class="completion-label">{suggestion.label}</span>
      {detail && <span class="completion-detail">{detail}</span>}
    </button>
  );
}

const SIGN_OF_KIND = {
  person: '@',
  wildcard: '@',
  group: '@',
  emoji: ':',
  channel: '#',
  topic: '›',
  command: '/',
} as const;

function SuggestionPicture({ suggestion: { kind, emoji } }: { suggestion: Suggestion }): VNode {
  return (
    <span class="completion-picture" aria-hidden="true">
      {emoji ? <EmojiPicture {...emoji} /> : SIGN_OF_KIND[kind]}
    </span>
  );
}

/** The list of names, emoji, channels and topics that complete what the user types. */
import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { suggest } from '../../client/store/suggest.ts';
import type { Place, Suggestion } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { addStyles } from '../style-sheets.ts';
import styles from './completion.css';
import { EmojiPicture } from './emoji-picture.tsx';
import { isCompletable, keepFocus, typeText } from './text.ts';

addStyles(styles);

interface Offer {
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  /** Where the caret was. */
  readonly caret: number;
}

/** What the field tells its list. */
export interface CompletionHandle {
  /** The text or the caret changed. */
  refresh(): void;
  close(): void;
  /** True if the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

export interface CompletionProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly place: Place;
  readonly handle: RefObject<CompletionHandle | null>;
}

export function Completion({ field, place, handle }: CompletionProps): VNode | null {
  const { store, words, announce } = usePanel();
  const id = useId();
  const [, render] = useReducer((count: number) => count + 1, 0);
  // Not state: keys can come faster than renderings.
  const state = useRef<{ offer?: Offer | undefined; asked: number }>({ asked: 0 });
  const listed = useRef<HTMLDivElement>(null);

  const actions = useMemo(() => {
    const show = (offer: Offer | undefined) => {
      if (offer === undefined && state.current.offer === undefined) return;
      state.current.offer = offer;
      render(0);
    };
    const close = () => {
      state.current.asked += 1;
      show(undefined);
    };
    const refresh = async () => {
      const area = field.current;
      if (!area || !isCompletable(area)) return close();
      const caret = area.selectionStart;
      // The same caret: the list is for this text.
      if (state.current.offer?.caret === caret && state.current.offer.suggestions.length > 0) return;
      state.current.asked += 1;
      const { asked } = state.current;
      const suggestions = await suggest(store, { text: area.value, caret, place }).catch(() => []);
      if (asked !== state.current.asked) return;
      const wasOpen = state.current.offer !== undefined;
      show(suggestions.length > 0 ? { suggestions, active: 0, caret } : undefined);
      if (!wasOpen && suggestions.length > 0) announce(words.suggestionCount(suggestions.length));
    };
    /** False if what was typed in between is something else. */
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
      const { offer } = state.current;
      if (!offer || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
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
  // The list is there because of what the user has typed.
  useEffect(actions.refresh, [actions]);

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
    <div ref={listed} id={id} class="completion" part="completion" role="listbox" aria-label={words.suggestions}>
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
  return (
    <button
      type="button"
      tabIndex={-1}
      id={id}
      class="completion-option"
      role="option"
      aria-selected={isActive}
      // The field keeps the focus.
      onPointerDown={keepFocus}
      onClick={onClick}
    >
      <SuggestionPicture suggestion={suggestion} />
      <span class="completion-label">{suggestion.label}</span>
      {suggestion.detail && <span class="completion-detail">{suggestion.detail}</span>}
    </button>
  );
}

const SIGN_OF_KIND = { person: '@', wildcard: '@', group: '@', emoji: ':', channel: '#', topic: '›' } as const;

function SuggestionPicture({ suggestion: { kind, emoji } }: { suggestion: Suggestion }): VNode {
  return (
    <span class="completion-picture" aria-hidden="true">
      {emoji ? <EmojiPicture {...emoji} /> : SIGN_OF_KIND[kind]}
    </span>
  );
}

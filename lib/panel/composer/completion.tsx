/** The list of completions: names, emoji, channels, topics and commands. */
import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { suggest } from '../../client/store/suggest.ts';
import type { ChatStore, Place, Suggestion } from '../../client/store/types.ts';
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

interface CompleterOptions extends Pick<CompletionProps, 'field' | 'place' | 'onEnter'> {
  readonly store: ChatStore;
  /** The offer changed. */
  onChange(): void;
  onOpen(count: number): void;
}

/**
 * The offer for the word at the caret: closed -> pending -> open -> closed. It can be pending and open: with completions
 * from loaded data, or with those of a shorter text. Not the state of a component: keys can come faster than renderings.
 */
class Completer implements CompletionHandle {
  options: CompleterOptions;
  offer: Offer | undefined;
  #asked = 0;
  /** The server has not answered. */
  #isPending = false;
  /** A key that waits for the answer. */
  #held: string | undefined;

  constructor(options: CompleterOptions) {
    this.options = options;
  }

  async refresh(): Promise<void> {
    const { field, place, store } = this.options;
    const area = field.current;
    if (!area || !isCompletable(area)) return this.close();
    const caret = area.selectionStart;
    // The same caret: the list is for this text.
    if (this.offer?.caret === caret) return;
    this.#stop();
    const asked = this.#asked;
    const wasOpen = this.offer !== undefined;
    this.#isPending = true;
    const onLoaded = (loaded: readonly Suggestion[]) => {
      if (loaded.length > 0) this.#list(loaded, caret);
    };
    const suggestions = await suggest(store, { text: area.value, caret, place }, onLoaded).catch(() => undefined);
    if (asked !== this.#asked) return;
    const held = this.#held;
    this.#stop();
    // If the server does not answer, completions from loaded data stay.
    if (suggestions || this.offer?.caret !== caret) this.#list(suggestions ?? [], caret);
    if (held && this.offer) this.accept(0);
    else if (held === 'Enter') this.options.onEnter();
    else if (!wasOpen && this.offer) this.options.onOpen(this.offer.suggestions.length);
  }

  close(): void {
    this.#stop();
    this.#show(undefined);
  }

  /** False if the text has changed in the meantime. */
  accept(index: number): boolean {
    const { offer } = this;
    const suggestion = offer?.suggestions[index];
    const area = this.options.field.current;
    this.close();
    if (!area || !offer || !suggestion) return false;
    const caret = area.selectionStart;
    const typed = area.value.slice(suggestion.from, caret).replace(/^\W+/, '').toLowerCase();
    if (caret !== offer.caret && !suggestion.label.toLowerCase().includes(typed)) return false;
    typeText(area, suggestion.from, caret, suggestion.insert);
    return true;
  }

  onKeyDown(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    if (!this.#hold(event.key) && !this.#act(event.key)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Keeps a key that chooses until the list is for the whole text. */
  #hold(key: string): boolean {
    const isCurrent = this.offer?.caret === this.options.field.current?.selectionStart;
    if (!this.#isPending || isCurrent || !/^(Enter|Tab)$/.test(key)) return false;
    this.#held = key;
    return true;
  }

  #act(key: string): boolean {
    const { offer } = this;
    if (!offer) return false;
    const { active, suggestions } = offer;
    const move = (by: number) =>
      this.#show({ ...offer, active: (active + by + suggestions.length) % suggestions.length });
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Enter' || key === 'Tab') return this.accept(active);
    else if (key === 'Escape') this.close();
    else return false;
    return true;
  }

  /** What the user has chosen for this text stays active. */
  #list(suggestions: readonly Suggestion[], caret: number): void {
    const before = this.offer;
    const chosen = before?.caret === caret ? before.suggestions[before.active]?.insert : undefined;
    const found = suggestions.findIndex(({ insert }) => insert === chosen);
    this.#show(suggestions.length > 0 ? { suggestions, active: Math.max(0, found), caret } : undefined);
  }

  #show(offer: Offer | undefined): void {
    if (offer === this.offer) return;
    this.offer = offer;
    this.options.onChange();
  }

  /** Drops the answer that is pending. */
  #stop(): void {
    this.#asked++;
    this.#isPending = false;
    this.#held = undefined;
  }
}

export function Completion({ field, place, handle, onEnter }: CompletionProps): VNode | null {
  const { store, words, announce } = useTools();
  const id = useId();
  const [, render] = useReducer((count: number) => count + 1, 0);
  const options: CompleterOptions = {
    ...{ field, place, store, onEnter },
    onChange: () => render(0),
    onOpen: (count) => announce(words.suggestionCount(count)),
  };
  const completer = useMemo(() => new Completer(options), []);
  completer.options = options;
  useImperativeHandle(handle, () => completer, []);
  const listed = useRef<HTMLDivElement>(null);
  const { offer } = completer;
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
          onClick={() => completer.accept(index)}
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

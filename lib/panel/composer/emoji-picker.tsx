/** A grid of emoji with a search field. */

import type { RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EmojiRef, EmojiTable } from '../../client/store/types.ts';
import { useCell } from '../context.ts';
import { Popover } from '../dialog.tsx';
import { reasonOf } from '../reasons.ts';
import { addStyles } from '../style-sheets.ts';
import { useOverlay } from '../words/overlay-words.ts';
import styles from './emoji-picker.css';
import { EmojiPicture } from './emoji-picture.tsx';
import { isTouch, keepFocus } from './text.ts';

addStyles(styles);

const EMOJI_PER_ROW = 8;
/** Number of emoji at first, and of more emoji when the reader comes near the end. */
const EMOJI_PER_PAGE = 25 * EMOJI_PER_ROW;

interface Entry {
  readonly ref: Required<EmojiRef>;
  readonly names: readonly string[];
  readonly url?: string;
}

const isHexadecimal = (code: string) => Number(/\D/.test(code));

export interface EmojiPopoverProps {
  beside: HTMLElement;
  /** Default: that it shows emoji. */
  label?: string;
  onPick(emoji: Required<EmojiRef>): void;
  onClose(): void;
}

export function EmojiPopover({ beside, label, onPick, onClose }: EmojiPopoverProps): VNode {
  const { words } = useOverlay();
  return (
    <Popover beside={beside} label={label ?? words.emoji} role="dialog" onClose={onClose}>
      <EmojiPicker onPick={onPick} />
    </Popover>
  );
}

function EmojiPicker({ onPick }: { onPick(emoji: Required<EmojiRef>): void }): VNode {
  const { words } = useOverlay();
  const { all, isLoaded, error } = useEntries();
  const [query, setQuery] = useState('');
  const [count, setCount] = useState(EMOJI_PER_PAGE);
  const [active, setActive] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On phones the keyboard would cover the grid.
    if (!isTouch()) search.current?.focus();
  }, []);
  const found = useMemo(() => matches(all, query), [all, query]);
  const shown = found.slice(0, count);

  const focus = (index: number) => {
    if (index >= count) setCount(index + EMOJI_PER_PAGE);
    setActive(index);
    // One that is not there yet has the focus with the next key.
    grid.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const to = target(event.key, active, found.length, isRightToLeft);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0) search.current?.focus();
    else focus(to);
  };
  const onSearchKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const first = found[0];
    if (event.isComposing || !first) return;
    if (event.key === 'Enter') onPick(first.ref);
    else if (event.key === 'ArrowDown') focus(0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: { currentTarget: HTMLElement }) => {
    if (scrollTop + 2 * clientHeight > scrollHeight && count < found.length) setCount(count + EMOJI_PER_PAGE);
  };
  return (
    <div class="emoji-picker">
      <input
        ref={search}
        type="search"
        aria-label={words.searchEmoji}
        placeholder={words.searchEmoji}
        maxLength={60}
        value={query}
        onKeyDown={onSearchKey}
        onInput={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setCount(EMOJI_PER_PAGE);
          setActive(0);
        }}
      />
      {error && <p role="alert">{error}</p>}
      {isLoaded && found.length === 0 && <p role="status">{words.noEmoji}</p>}
      <div class="emoji-rows" onScroll={onScroll}>
        {shown.length > 0 && (
          <EmojiGrid grid={grid} entries={shown} active={active} onKeyDown={onKeyDown} onPick={onPick} />
        )}
      </div>
    </div>
  );
}

/** The emoji of the organization, then those of the server. */
function useEntries() {
  const { store, words } = useOverlay();
  const custom = useCell(store.emoji.custom);
  const [table, setTable] = useState<EmojiTable>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    store.emoji.table().then(setTable, (failure: Error) => setError(words.emojiFailed(reasonOf(failure, words))));
  }, [store]);
  const all = useMemo((): readonly Entry[] => {
    const own = [...custom.values()].map(({ name, code, url }) => ({
      ref: { emoji_name: name, emoji_code: code, reaction_type: 'realm_emoji' as const },
      names: [name],
      url,
    }));
    // JSON.parse puts codes such as 2600 first. They are symbols, so they follow faces and hands.
    const unicode = [...(table?.names ?? [])]
      .sort(([a], [b]) => isHexadecimal(b) - isHexadecimal(a))
      .map(([code, names]) => ({
        ref: { emoji_name: names[0] ?? '', emoji_code: code, reaction_type: 'unicode_emoji' as const },
        names,
      }));
    return [...own, ...unicode];
  }, [custom, table]);
  return { all, isLoaded: table !== undefined, error };
}

interface EmojiGridProps {
  grid: RefObject<HTMLDivElement | null>;
  entries: readonly Entry[];
  /** The index of the emoji that has the focus, or gets it with the Tab key. */
  active: number;
  onKeyDown(event: TargetedKeyboardEvent<HTMLElement>): void;
  onPick(emoji: Required<EmojiRef>): void;
}

function EmojiGrid({ grid, entries, active, onKeyDown, onPick }: EmojiGridProps): VNode {
  const { words } = useOverlay();
  return (
    <div ref={grid} role="listbox" class="emoji-grid" tabIndex={-1} aria-label={words.emoji} onKeyDown={onKeyDown}>
      {entries.map(({ ref, names, url }, index) => (
        <button
          key={ref.emoji_code}
          type="button"
          role="option"
          class="emoji-button"
          data-index={index}
          tabIndex={index === active ? 0 : -1}
          aria-selected={index === active}
          aria-label={(names[0] ?? '').replaceAll('_', ' ')}
          title={`:${names[0]}:`}
          onPointerDown={keepFocus}
          onClick={() => onPick(ref)}
        >
          <EmojiPicture {...ref} {...(url !== undefined && { url })} />
        </button>
      ))}
    </div>
  );
}

/** Names that start with the query come before others that contain it. */
function matches(all: readonly Entry[], query: string): readonly Entry[] {
  const wanted = query.trim().toLowerCase().replaceAll(':', '').replace(/\s+/g, '_');
  if (wanted === '') return all;
  const starting = all.filter(({ names }) => names.some((name) => name.startsWith(wanted)));
  const known = new Set(starting);
  return [
    ...starting,
    ...all.filter((emoji) => !known.has(emoji) && emoji.names.some((name) => name.includes(wanted))),
  ];
}

/** The emoji that a key leads to. -1: the search field. */
function target(key: string, at: number, count: number, isRightToLeft: boolean): number | undefined {
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
  switch (key) {
    case forward:
      return Math.min(at + 1, count - 1);
    case back:
      return Math.max(at - 1, 0);
    case 'ArrowDown':
      return Math.min(at + EMOJI_PER_ROW, count - 1);
    case 'ArrowUp':
      return at < EMOJI_PER_ROW ? -1 : at - EMOJI_PER_ROW;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

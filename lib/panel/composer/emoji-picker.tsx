/** A grid of emoji by group, with a search field. */

import type { RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatStore, CustomEmoji, EmojiRef, EmojiTable } from '../../client/store/types.ts';
import { emojiCharacter } from '../content/media.ts';
import { useCell } from '../context.ts';
import { Popover } from '../dialog.tsx';
import { reasonOf } from '../reasons.ts';
import { addStyles } from '../style-sheets.ts';
import { useLater } from '../words/later-words.ts';
import { useOverlay } from '../words/overlay-words.ts';
import { emojiAt, FIRST_OF_GROUPS, type GroupName, withTone } from './emoji-groups.ts';
import { habitsOf, rememberEmoji, rememberTone } from './emoji-habits.ts';
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

interface Group {
  /** Undefined: what a search has found. */
  readonly name?: GroupName;
  readonly entries: readonly Entry[];
}

export interface EmojiPopoverProps {
  beside: HTMLElement;
  /** Default: that it shows emoji. */
  label?: string;
  /** Whether the user can choose a skin tone. The server knows reactions without one only. */
  hasTones?: boolean;
  /** @param character with a skin tone, which has no name */
  onPick(emoji: Required<EmojiRef>, character?: string): void;
  onClose(): void;
}

export function EmojiPopover({ beside, label, hasTones = false, onPick, onClose }: EmojiPopoverProps): VNode {
  const { store, words } = useOverlay();
  const [tone, setTone] = useState(() => (hasTones ? habitsOf(store).tone : 0));
  const choose = (chosen: number) => {
    setTone(chosen);
    rememberTone(store, chosen);
  };
  return (
    <Popover beside={beside} label={label ?? words.emoji} role="dialog" onClose={onClose}>
      <EmojiPicker
        tone={tone}
        onPick={(emoji) => {
          rememberEmoji(store, emoji);
          onPick(emoji, tonedCharacter(emoji, tone));
        }}
      />
      {hasTones && <SkinTones chosen={tone} choose={choose} />}
    </Popover>
  );
}

const tonedCharacter = ({ emoji_code, reaction_type }: EmojiRef, tone: number) =>
  reaction_type === 'unicode_emoji' && emoji_code ? withTone(emojiCharacter(emoji_code), tone) : undefined;

/** The emoji that shows a skin tone: a raised hand. */
const HAND = '\u270b';

function SkinTones({ chosen, choose }: { chosen: number; choose(tone: number): void }): VNode {
  const { words } = useLater();
  return (
    <fieldset class="skin-tones">
      <legend class="visually-hidden">{words.skinTone}</legend>
      {words.skinTones.map((name, tone) => (
        <label key={name} title={name}>
          <input type="radio" name="skin-tone" checked={tone === chosen} onChange={() => choose(tone)} />
          <span class="emoji" aria-hidden="true">
            {withTone(HAND, tone) ?? HAND}
          </span>
          <span class="visually-hidden">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface PickerProps {
  tone: number;
  onPick(emoji: Required<EmojiRef>): void;
}

function EmojiPicker({ tone, onPick }: PickerProps): VNode {
  const { words } = useOverlay();
  const { groups, isLoaded, error } = useGroups();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // On phones the keyboard would cover the grid.
    if (!isTouch()) search.current?.focus();
  }, []);
  const found = useMemo(() => matching(groups, query), [groups, query]);
  const { grid, total, count, active, focus, jump, reset, onKeyDown, onScroll } = useGrid(found, search);
  const onSearchKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const first = found[0]?.entries[0];
    if (event.isComposing || !first) return;
    if (event.key === 'Enter') onPick(first.ref);
    else if (event.key === 'ArrowDown') focus(0);
    else return;
    event.preventDefault();
    event.stopPropagation();
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
          reset();
        }}
      />
      {error && <p role="alert">{error}</p>}
      {isLoaded && total === 0 && <p role="status">{words.noEmoji}</p>}
      {query.trim() === '' && <GroupButtons groups={found} jump={jump} />}
      <div class="emoji-rows" onScroll={onScroll}>
        {total > 0 && <EmojiGrid {...{ grid, tone, count, active, onKeyDown, onPick }} groups={found} />}
      </div>
    </div>
  );
}

/** How much of the grid is there, and which emoji has the focus. Arrows lead to others, and up to the search field. */
function useGrid(found: readonly Group[], search: RefObject<HTMLElement | null>) {
  const [count, setCount] = useState(EMOJI_PER_PAGE);
  const [active, setActive] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const counts = found.map(({ entries }) => entries.length);
  const total = counts.reduce((sum, each) => sum + each, 0);
  const wanted = useRef<{ index: number; block: ScrollLogicalPosition }>(undefined);
  const focusWanted = () => {
    const { index, block } = wanted.current ?? {};
    const button = grid.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (!button) return;
    wanted.current = undefined;
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: block ?? 'nearest' });
  };
  // One that was not there before.
  useEffect(focusWanted, [count]);
  const focus = (index: number, block: ScrollLogicalPosition = 'nearest') => {
    if (index >= count) setCount(index + EMOJI_PER_PAGE);
    setActive(index);
    wanted.current = { index, block };
    focusWanted();
  };
  const jump = (group: Group) => {
    const before = counts.slice(0, found.indexOf(group));
    focus(
      before.reduce((sum, each) => sum + each, 0),
      'start',
    );
  };
  const reset = () => {
    setCount(EMOJI_PER_PAGE);
    setActive(0);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const names = isRightToLeft ? RIGHT_TO_LEFT_KEYS : LEFT_TO_RIGHT_KEYS;
    const at = Number((event.target as HTMLElement).dataset.index ?? active);
    const to = emojiAt(names[event.key] ?? event.key, at, counts, EMOJI_PER_ROW);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0) search.current?.focus();
    else focus(to);
  };
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: { currentTarget: HTMLElement }) => {
    if (scrollTop + 2 * clientHeight > scrollHeight && count < total) setCount(count + EMOJI_PER_PAGE);
  };
  return { grid, total, count, active, focus, jump, reset, onKeyDown, onScroll };
}

const LEFT_TO_RIGHT_KEYS: Readonly<Record<string, string>> = { ArrowRight: 'Next', ArrowLeft: 'Previous' };
const RIGHT_TO_LEFT_KEYS: Readonly<Record<string, string>> = { ArrowLeft: 'Next', ArrowRight: 'Previous' };

/** Recent emoji, those of the organization, then the groups of the server. */
function useGroups() {
  const { store, words } = useOverlay();
  const custom = useCell(store.emoji.custom);
  const [table, setTable] = useState<EmojiTable>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    store.emoji.table().then(setTable, (failure: Error) => setError(words.emojiFailed(reasonOf(failure, words))));
  }, [store]);
  const groups = useMemo(() => {
    const own = [...custom.values()].map(customEntry);
    const named: Group[] = [
      { name: 'recent', entries: recentEntries(store, own) },
      { name: 'custom', entries: own },
      ...unicodeGroups(table),
    ];
    return named.filter(({ entries }) => entries.length > 0);
  }, [custom, table]);
  return { groups, isLoaded: table !== undefined, error };
}

const customEntry = ({ name, code, url }: CustomEmoji): Entry => ({
  ref: { emoji_name: name, emoji_code: code, reaction_type: 'realm_emoji' },
  names: [name],
  url,
});

/** Without emoji that the organization has removed. */
function recentEntries(store: ChatStore, own: readonly Entry[]): readonly Entry[] {
  return habitsOf(store).recent.flatMap((ref): readonly Entry[] => {
    if (ref.reaction_type !== 'realm_emoji') return [{ ref, names: [ref.emoji_name] }];
    const known = own.find((entry) => entry.ref.emoji_code === ref.emoji_code);
    return known ? [known] : [];
  });
}

function unicodeGroups(table: EmojiTable | undefined): readonly Group[] {
  const groups: { name: GroupName; entries: Entry[] }[] = [];
  for (const [code, names] of table?.names ?? []) {
    const name = FIRST_OF_GROUPS.get(code) ?? (groups.length === 0 ? 'smileys' : undefined);
    if (name) groups.push({ name, entries: [] });
    const ref = { emoji_name: names[0] ?? '', emoji_code: code, reaction_type: 'unicode_emoji' as const };
    groups.at(-1)?.entries.push({ ref, names });
  }
  return groups;
}

/** They lead to the groups. Keyboards also reach the groups by arrows. */
function GroupButtons({ groups, jump }: { groups: readonly Group[]; jump(group: Group): void }): VNode {
  const { words } = useLater();
  return (
    <div class="emoji-groups">
      {groups.map((group) => {
        const [first] = group.entries;
        const label = group.name && words.emojiGroups[group.name];
        return (
          first && (
            <button
              key={group.name}
              type="button"
              tabIndex={-1}
              aria-label={label}
              title={label}
              onPointerDown={keepFocus}
              onClick={() => jump(group)}
            >
              <EmojiPicture {...first.ref} {...(first.url !== undefined && { url: first.url })} />
            </button>
          )
        );
      })}
    </div>
  );
}

interface EmojiGridProps extends PickerProps {
  grid: RefObject<HTMLDivElement | null>;
  groups: readonly Group[];
  /** Emoji to show, of all groups together. */
  count: number;
  /** The index of the emoji that has the focus, or gets it with the Tab key. */
  active: number;
  onKeyDown(event: TargetedKeyboardEvent<HTMLElement>): void;
}

function EmojiGrid({ grid, groups, count, active, tone, onKeyDown, onPick }: EmojiGridProps): VNode {
  const { words } = useOverlay();
  const { emojiGroups } = useLater().words;
  let start = 0;
  const shown = groups.flatMap(({ name, entries }) => {
    const first = start;
    start += entries.length;
    const visible = entries.slice(0, Math.max(0, count - first));
    return visible.length > 0 ? [{ name, first, entries: visible }] : [];
  });
  return (
    <div ref={grid} role="listbox" tabIndex={-1} aria-label={words.emoji} onKeyDown={onKeyDown}>
      {shown.map(({ name, first, entries }) => (
        <div key={name} {...groupNamed(name ? emojiGroups[name] : words.emoji)}>
          {name && (
            <p class="emoji-heading" aria-hidden="true">
              {emojiGroups[name]}
            </p>
          )}
          <div class="emoji-grid" role="presentation">
            {entries.map((entry, index) => (
              <EmojiOption
                key={entry.ref.emoji_code}
                entry={entry}
                index={first + index}
                isActive={first + index === active}
                tone={tone}
                onPick={onPick}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** A part of a list box. */
const groupNamed = (label: string) => ({ role: 'group', 'aria-label': label }) as const;

interface EmojiOptionProps extends PickerProps {
  entry: Entry;
  index: number;
  isActive: boolean;
}

function EmojiOption({ entry: { ref, names, url }, index, isActive, tone, onPick }: EmojiOptionProps): VNode {
  const toned = tonedCharacter(ref, tone);
  return (
    <button
      type="button"
      role="option"
      class="emoji-button"
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isActive}
      aria-label={(names[0] ?? '').replaceAll('_', ' ')}
      title={`:${names[0]}:`}
      onPointerDown={keepFocus}
      onClick={() => onPick(ref)}
    >
      {toned ? <span class="emoji">{toned}</span> : <EmojiPicture {...ref} {...(url !== undefined && { url })} />}
    </button>
  );
}

/** All groups. With a query, one list: names that start with it come before others that contain it. */
function matching(groups: readonly Group[], query: string): readonly Group[] {
  const wanted = query.trim().toLowerCase().replaceAll(':', '').replace(/\s+/g, '_');
  if (wanted === '') return groups;
  const all = groups.filter(({ name }) => name !== 'recent').flatMap(({ entries }) => entries);
  const starting = all.filter(({ names }) => names.some((name) => name.startsWith(wanted)));
  const known = new Set(starting);
  const containing = all.filter((emoji) => !known.has(emoji) && emoji.names.some((name) => name.includes(wanted)));
  return [{ entries: [...starting, ...containing] }];
}

/** Beside a conversation: its people and its files. On narrow screens it is above the conversation. */

import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../buttons.tsx';
import { usesKeys } from '../../keys.ts';
import { addStyles } from '../../style-sheets.ts';
import { useColumnWords } from '../../words/column-words.ts';
import type { ColumnControl, ColumnPlace, ColumnTab } from '../column-state.ts';
import lists from '../lists.css';
import styles from './column.css';
import { Files } from './files.tsx';
import { ChannelPeople, Participants } from './people.tsx';

addStyles(lists, styles);

export interface ColumnProps {
  place: ColumnPlace;
  column: ColumnControl;
}

export function Column({ place, column }: ColumnProps): JSX.Element {
  const { words } = useColumnWords();
  const element = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const { tab = 'people', isFocused, close, choose } = column;
  useEscape(element, close);
  useEffect(() => {
    if (isFocused) heading.current?.focus({ preventScroll: true });
  }, [isFocused]);
  useLayoutEffect(
    () => () => {
      const own = element.current;
      const root = own?.getRootNode() as ShadowRoot | undefined;
      if (!own?.matches(':focus-within')) return;
      // On phones, the column hides the button.
      setTimeout(() => root?.querySelector<HTMLElement>('.column-button')?.focus());
    },
    [],
  );
  return (
    <section ref={element} class="column" part="column" aria-label={words.peopleAndFiles}>
      <header class="column-header">
        <IconButton icon="back" label={words.back} data-close="back" onClick={close} />
        <h2 ref={heading} tabIndex={-1}>
          {words.peopleAndFiles}
        </h2>
        <IconButton icon="close" label={words.close} data-close="close" onClick={close} />
      </header>
      <Tabs id={id} tab={tab} choose={choose} />
      <div id={`${id}-panel`} class="column-content" role="tabpanel" aria-labelledby={`${id}-${tab}`} tabIndex={-1}>
        {tab === 'files' ? (
          <Files place={place} />
        ) : 'channelId' in place ? (
          <ChannelPeople channelId={place.channelId} />
        ) : (
          <Participants userIds={place.userIds} />
        )}
      </div>
    </section>
  );
}

interface TabsProps extends Pick<ColumnControl, 'choose'> {
  id: string;
  tab: ColumnTab;
}

function Tabs({ id, tab, choose }: TabsProps): JSX.Element {
  const { words } = useColumnWords();
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (!/^Arrow(Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const other = tab === 'people' ? 'files' : 'people';
    choose(other);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${other}]`)?.focus();
  };
  const tabOf = (name: ColumnTab, label: string) => (
    <button
      type="button"
      role="tab"
      id={`${id}-${name}`}
      data-tab={name}
      aria-selected={tab === name}
      aria-controls={`${id}-panel`}
      tabIndex={tab === name ? 0 : -1}
      onClick={() => choose(name)}
    >
      {label}
    </button>
  );
  return (
    <div class="tabs" role="tablist" aria-label={words.peopleAndFiles} onKeyDown={onKeyDown}>
      {tabOf('people', words.people)}
      {tabOf('files', words.files)}
    </div>
  );
}

/** Closes the column: from inside of it, and from everywhere while it is above the conversation. */
function useEscape(element: { readonly current: HTMLElement | null }, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const [own, from] = [element.current, event.composedPath()[0]];
      if (!own || event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if ((own.getRootNode() as ShadowRoot).querySelector('dialog[open], :popover-open')) return;
      const isInside = from instanceof Node && own.contains(from);
      // Escape first leaves a field, or clears it.
      if (usesKeys(from) && !(isInside && (from as HTMLInputElement).value === '')) return;
      const isAbove = getComputedStyle(own).getPropertyValue('--is-above').trim() === '1';
      if (isInside || isAbove) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

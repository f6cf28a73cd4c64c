/** Keyboard and touch in the list: rows get the focus, act and open their menu. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Message } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { replayEarly } from '../early.ts';
import { usesKeys } from '../keys.ts';
import { rowElement, rowOf, visibleRows } from './anchoring.ts';
import { useListActions } from './list-context.ts';
import { circumstancesOf, mayEdit } from './permissions.ts';

/** Keys that wait for this part. Letters go to the composer until then. */
const HELD = /^(Enter|ContextMenu|End)$/;
/** Milliseconds until a touch that stays opens the menu. */
const LONG_PRESS_MS = 500;
/** Pixels that a finger may move. */
const LONG_PRESS_DISTANCE = 10;
/** A click that belongs to a touch comes within this time after its end. */
const CLICK_AFTER_TOUCH_MS = 50;

export interface ListKeysProps {
  scroller: RefObject<HTMLDivElement | null>;
  messages: readonly Message[];
  toNewest(): void;
  /** The message of a link is marked until the reader uses a key or the pointer. */
  setMarked(isMarked: false): void;
}

/** Listens to the list. It shows nothing itself. */
export function ListKeys(props: ListKeysProps): null {
  const { scroller, messages, setMarked } = props;
  const { early } = usePanel();
  const { openMenu } = useListActions();
  const openMenuOf = (row: HTMLElement) => {
    const message = messageOf(row, messages);
    if (message) openMenu(message, row);
  };
  const { endPress, ...touch } = useLongPress(scroller, openMenuOf);
  const handlers = { ...useKeys(props, openMenuOf), ...touch };
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const list = scroller.current;
    for (const type of Object.keys(handlers) as (keyof typeof handlers)[])
      list?.addEventListener(type, (event) => latest.current[type](event as never), { signal });
    for (const type of ['keydown', 'pointerdown'])
      list?.getRootNode().addEventListener(type, () => setMarked(false), { capture: true, signal });
    replayEarly<KeyboardEvent>(early, 'keydown', ({ key }) => HELD.test(key));
    // An element has the pointer of a touch until the finger is lifted.
    replayEarly<PointerEvent>(early, 'pointerdown', (event, target) => target.hasPointerCapture(event.pointerId));
    return () => {
      ended.abort();
      endPress();
    };
  }, []);
  return null;
}

const messageOf = (row: HTMLElement, messages: readonly Message[]) =>
  messages.find(({ id }) => id === Number(row.dataset.id));

type Rows = readonly HTMLElement[];

/** The row that a key leads to. @param at the row with the focus, or -1 */
const MOVES: Readonly<Record<string, (rows: Rows, at: number, list: HTMLElement) => HTMLElement | undefined>> = {
  ArrowDown: (rows, at, list) => (at < 0 ? visibleRows(list)[0] : rows[at + 1]),
  ArrowUp: (rows, at, list) => (at < 0 ? visibleRows(list).at(-1) : rows[at - 1]),
  Home: (rows) => rows[0],
  End: (rows) => rows.at(-1),
};

function useKeys({ scroller, messages, toNewest }: ListKeysProps, openMenuOf: (row: HTMLElement) => void) {
  const { store, isReadonly, hidden } = usePanel();
  const actions = useListActions();
  const hasFocusByKey = useRef(false);
  /** A letter for the row with the focus. Returns whether the row uses it. */
  const onLetter = (key: string, row: HTMLElement): boolean => {
    const message = messageOf(row, messages);
    if (!message || isReadonly || hidden.has('actions')) return false;
    if (key === '+') actions.openPicker(message, row);
    else if (key === 'r') actions.compose(message);
    else if (key === 'e' && mayEdit(message, circumstancesOf(message, store))) actions.edit(message.id);
    else return false;
    return true;
  };
  const onRowKey = ({ key, isTrusted }: KeyboardEvent, row: HTMLElement): boolean => {
    // After a click on a row, letters are the start of a message. The composer sends keys of its own.
    if (key !== 'Enter' && key !== 'ContextMenu') return (hasFocusByKey.current || !isTrusted) && onLetter(key, row);
    openMenuOf(row);
    return true;
  };
  return {
    keydown: (event: KeyboardEvent) => {
      const list = scroller.current;
      if (!list || event.ctrlKey || event.altKey || event.metaKey || usesKeys(event.target)) return;
      const row = rowOf(event.target);
      const move = MOVES[event.key];
      if (move) {
        const rows = [...list.querySelectorAll<HTMLElement>('article[data-id]')];
        if (event.key === 'End') toNewest();
        const next = move(rows, row ? rows.indexOf(row) : -1, list);
        next?.focus({ preventScroll: true });
        next?.scrollIntoView({ block: 'nearest' });
      } else if (!row || row !== event.target || !onRowKey(event, row)) return;
      event.preventDefault();
    },
    focusin: ({ target }: FocusEvent) => {
      // The next key makes the browser show the focus of a click too.
      hasFocusByKey.current = rowOf(target)?.matches(':focus-visible') === true;
    },
  };
}

function useLongPress(scroller: ListKeysProps['scroller'], openMenuOf: (row: HTMLElement) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);
  const endPress = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  return {
    endPress,
    pointerdown: ({ target, pointerType, pointerId, clientX: x, clientY: y }: PointerEvent) => {
      endPress();
      const row = rowOf(target);
      if (!row || pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        const list = scroller.current;
        // A rendering may have replaced the element.
        const now = list && rowElement(list, row.dataset.id ?? '');
        if (!now) return;
        endTouchIn(now.getRootNode(), pointerId);
        openMenuOf(now);
      }, LONG_PRESS_MS);
      press.current = { timer, x, y };
    },
    pointermove: ({ clientX, clientY }: PointerEvent) => {
      const { x = 0, y = 0 } = press.current ?? {};
      if (Math.hypot(clientX - x, clientY - y) > LONG_PRESS_DISTANCE) endPress();
    },
    pointerup: endPress,
    pointercancel: endPress,
    contextmenu: (event: Event) => {
      // Android opens its own menu during a long press, sooner than this one on some devices.
      if (press.current) event.preventDefault();
    },
  };
}

/** Until the finger is lifted, no end of the touch closes the next popover or clicks on it. */
function endTouchIn(root: Node, pointerId: number): void {
  const ended = new AbortController();
  const { signal } = ended;
  const options = { capture: true, signal };
  // The browser closes a popover when a finger is lifted elsewhere, so the menu takes the end of this touch.
  const capture = ({ target: menu }: Event) => queueMicrotask(() => (menu as Element).setPointerCapture(pointerId));
  root.addEventListener('beforetoggle', capture, { ...options, once: true });
  // The menu can be below the finger. A browser may take the end of a long press for a tap, and so for a click there.
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  root.addEventListener('click', ignore, options);
  const stop = () => ended.abort();
  const end = () => setTimeout(stop, CLICK_AFTER_TOUCH_MS);
  // A new touch has a click of its own, and a busy page may run the timer late.
  root.addEventListener('pointerdown', stop, options);
  for (const type of ['pointerup', 'pointercancel']) root.addEventListener(type, end, options);
}

/** Where the reader is in the list: placed when messages arrive, kept when they change, and more is fetched at the edges. */

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatStore, Message, MessageList, MessageListState, Narrow } from '../../client/store/types.ts';
import { type Panel, useCell, usePanel } from '../context.ts';
import { rowElement, ScrollAnchor, visibleRows } from './anchoring.ts';
import { isPlace } from './places.ts';

/** Pixels from an edge at which more is fetched. */
const FETCH_DISTANCE = 900;
/** Pixels from the end at which "jump to newest" appears. */
const JUMP_DISTANCE = 240;
/** Parts of the height: where the first unread message and the message of a link are placed. */
const UNREAD_POSITION = 0.25;
const TARGET_POSITION = 0.35;

interface Scrolling {
  readonly attention: Attention;
  /** Whether the newest messages are out of sight, and how many unread ones are below. */
  readonly below: { readonly isFar: boolean; readonly unread: number };
  onScroll(): void;
  toNewest(): void;
}

interface ScrollingOptions {
  scroller: RefObject<HTMLDivElement | null>;
  list: MessageList;
  state: MessageListState;
  unread: ReadonlyMap<number, Message>;
  marksRead: boolean;
}

export function useScrolling({ scroller, list, state, unread, marksRead }: ScrollingOptions): Scrolling {
  const panel = usePanel();
  const anchor = useRef<ScrollAnchor>(undefined);
  const [below, setBelow] = useState({ isFar: false, unread: 0 });
  const latest = useRef({
    ...{ unread, marksRead, connections: panel.connections },
    ...{ frame: 0, generation: -1, hasNewest: false, sentAt: Date.now(), isHidden: false, afterLayout: () => {} },
    /** Whether the reader was at the end in the last frame, and which messages have come at the end since then. */
    ...{ followed: false, passing: new Set<number>() },
  });
  Object.assign(latest.current, { unread, marksRead });
  const attention = useAttention(scroller, () => {
    anchor.current?.remember();
    look();
  });

  /** What is in sight counts as read, in the next frame: many changes can come in one. */
  const look = () => {
    if (latest.current.frame !== 0) return;
    latest.current.frame = requestAnimationFrame(() => {
      latest.current.frame = 0;
      const element = scroller.current;
      if (!element) return;
      fetchAtEdges(element, list);
      const isReading = attention.isReading();
      const follows = isReading && anchor.current?.isAtEnd === true;
      const top = anchor.current?.topId;
      if (follows) list.holdAt('newest');
      else if (top !== undefined) list.holdAt(top);
      if (latest.current.marksRead && isReading) {
        markVisible(panel, element, latest.current.unread);
        // Many messages can pass between two frames.
        if (follows && latest.current.followed) panel.store.messages.markRead(latest.current.passing);
      }
      latest.current.passing.clear();
      latest.current.followed = follows;
      const seen = belowOf(element, list, panel.store);
      setBelow((before) => (before.isFar === seen.isFar && before.unread === seen.unread ? before : seen));
    });
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    anchor.current = new ScrollAnchor(element, {
      mayFollow: () => list.state.get().hasNewest,
      limit: () => (attention.isReading() ? null : element.querySelector<HTMLElement>('.unread-line')),
    });
    latest.current.generation = -1;
    const observer = new ResizeObserver(() => latest.current.afterLayout());
    let [newest, wasFetching] = [0, true];
    const endArrivals = list.state.subscribe(({ messages, loading }) => {
      // What was missed without a connection, or fetched, has not passed the reader. A hidden page has no frames.
      const isLive = panel.store.status.get().state === 'live';
      const isArrival = isLive && !wasFetching && attention.isReading();
      for (let at = messages.length - 1; isArrival && (messages[at]?.id ?? 0) > newest; at--) {
        latest.current.passing.add(messages[at]?.id ?? 0);
      }
      newest = Math.max(newest, messages.at(-1)?.id ?? 0);
      wasFetching = loading === 'first';
    });
    // Messages that the list has not loaded count too.
    const endCounts = panel.store.unread.listen(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => {
      endArrivals();
      endCounts();
      observer.disconnect();
      cancelAnimationFrame(latest.current.frame);
      latest.current.frame = 0;
    };
  }, [list]);

  latest.current.afterLayout = () => {
    const [element, anchored, before] = [scroller.current, anchor.current, latest.current];
    if (!element || !anchored) return;
    // Without a box, nothing has a place. When it is visible again, the reader is where they were.
    const wasHidden = before.isHidden;
    before.isHidden = element.clientHeight === 0;
    if (before.isHidden) return;
    if (wasHidden || before.connections !== panel.connections) anchored.ignoreMove();
    before.connections = panel.connections;
    const sentAt = state.outgoing.at(-1)?.sentAt ?? 0;
    const isReplaced = state.loading !== 'first' && state.generation !== before.generation;
    if (isReplaced) {
      before.generation = state.generation;
      place(element, anchored, state);
    } else if (sentAt > before.sentAt) {
      if (state.hasNewest) anchored.toEnd();
      else void list.around('newest');
    } else {
      anchored.restore();
      if (state.hasNewest !== before.hasNewest) anchored.remember();
    }
    before.hasNewest = state.hasNewest;
    before.sentAt = Math.max(before.sentAt, sentAt);
    look();
  };
  // After each rendering: the browser has not painted yet, so the reader sees no movement.
  useLayoutEffect(() => latest.current.afterLayout());

  return {
    attention,
    below,
    onScroll: () => {
      anchor.current?.onScroll();
      look();
    },
    toNewest: () => {
      if (list.state.get().hasNewest) anchor.current?.toEnd();
      else void list.around('newest');
      look();
    },
  };
}

function place(scroller: HTMLElement, anchor: ScrollAnchor, state: MessageListState): void {
  const line = scroller.querySelector<HTMLElement>('.unread-line');
  const row = state.anchor === undefined ? null : rowElement(scroller, state.anchor);
  const isLine = line !== null && row !== null && line.nextElementSibling === row;
  if (isLine) anchor.toElement(line, UNREAD_POSITION);
  else if (row && row !== lastRow(scroller)) anchor.toElement(row, TARGET_POSITION);
  else anchor.toEnd();
}

const lastRow = (scroller: HTMLElement) => [...scroller.querySelectorAll('article[data-id]')].at(-1);

function fetchAtEdges(scroller: HTMLElement, list: MessageList): void {
  const { loading, error, hasOldest, hasNewest } = list.state.get();
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  // A panel that is not shown has no height.
  if (loading !== 'none' || error || clientHeight === 0) return;
  if (!hasOldest && scrollTop < FETCH_DISTANCE) void list.older();
  else if (!hasNewest && scrollHeight - clientHeight - scrollTop < FETCH_DISTANCE) void list.newer();
}

function belowOf(scroller: HTMLElement, list: MessageList, { messages }: ChatStore) {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  const isFar = !list.state.get().hasNewest || scrollHeight - clientHeight - scrollTop > JUMP_DISTANCE;
  const last = Number(visibleRows(scroller).at(-1)?.dataset.id ?? 0);
  return { isFar, unread: isFar ? messages.countUnread(list.narrow, last) : 0 };
}

// Whether the reader looks at the list, and what they have read.

/** Values of the setting `web_mark_read_on_scroll_policy`. */
const MARKS_IN_CONVERSATIONS = 2;
const MARKS_NEVER = 3;

/** Whether the user sees the list now: its page is visible and has the focus, half of it is in sight, and no dialog above. */
interface Attention {
  isReading(): boolean;
}

/** @param onReturn called when the reader comes back */
function useAttention(scroller: { current: HTMLElement | null }, onReturn: () => void): Attention {
  const state = useRef({ isInSight: false, onReturn, changed: () => {} });
  state.current.onReturn = onReturn;
  const attention = useRef<Attention>({
    isReading: () => {
      const { isInSight, changed } = state.current;
      if (!isInSight || document.visibilityState !== 'visible' || !document.hasFocus()) return false;
      const dialog = dialogAbove(scroller.current);
      // Also a dialog that is removed says that it was closed. The browser keeps one listener.
      dialog?.addEventListener('close', changed);
      return dialog === undefined;
    },
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const changed = () => void (attention.current.isReading() && state.current.onReturn());
    state.current.changed = changed;
    const observer = new IntersectionObserver(
      (entries) => {
        state.current.isInSight = entries.at(-1)?.isIntersecting ?? false;
        changed();
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('visibilitychange', changed, { signal });
    window.addEventListener('focus', changed, { signal });
    return () => {
      observer.disconnect();
      ending.abort();
    };
  }, []);
  return attention.current;
}

/** A modal dialog of the panel or the page, in which the list is not. */
function dialogAbove(scroller: HTMLElement | null): Element | undefined {
  const panel = scroller?.closest('.panel');
  const { host } = (scroller?.getRootNode() ?? {}) as Partial<ShadowRoot>;
  for (const dialogs of [panel, document].map((root) => root?.getElementsByTagName('dialog')))
    for (const dialog of dialogs ?? []) if (dialog.matches(':modal') && !(host && dialog.contains(host))) return dialog;
  return undefined;
}

/** Marks messages as read whose end is in sight. */
function markVisible(panel: Panel, scroller: HTMLElement, unread: ReadonlyMap<number, Message>): void {
  if (unread.size === 0) return;
  const { bottom } = scroller.getBoundingClientRect();
  const ids: number[] = [];
  for (const row of visibleRows(scroller)) {
    const id = Number(row.dataset.id);
    if (unread.has(id) && row.getBoundingClientRect().bottom <= bottom + 1) ids.push(id);
  }
  if (ids.length > 0) panel.store.messages.markRead(ids);
}

/** Whether reading marks as read here, by the user's setting. */
export function useMarksRead(narrow: Narrow): boolean {
  const { store, isReadonly } = usePanel();
  const policy = useCell(store.settings)?.web_mark_read_on_scroll_policy;
  // A glance at a result is not reading its conversation. Zulip's apps mark nothing there either.
  if (isReadonly || policy === MARKS_NEVER || 'search' in narrow) return false;
  if ('view' in narrow && narrow.view === 'starred') return false;
  return policy === MARKS_IN_CONVERSATIONS ? isPlace(narrow) : true;
}

/** Where the reader is in the list: placed when messages arrive, kept when they change, and more is fetched at the edges. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
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
  readonly isReading: boolean;
  /** How many unread messages are below. Undefined: the newest messages are in sight. */
  readonly below: number | undefined;
  onScroll(): void;
  toNewest(): void;
}

interface ScrollingOptions {
  scroller: RefObject<HTMLDivElement | null>;
  list: MessageList;
  state: MessageListState;
  marksRead: boolean;
}

export function useScrolling({ scroller, list, state, marksRead }: ScrollingOptions): Scrolling {
  const panel = usePanel();
  const [below, setBelow] = useState<number>();
  const { messages } = state;
  const unread = useMemo(
    () => new Map(messages.filter(({ flags }) => !flags.has('read')).map((message) => [message.id, message])),
    [messages],
  );
  const view: ReaderView = { panel, scroller, list, state, unread, marksRead, setBelow };
  const reader = useMemo(() => new Reader(view), [list]);
  reader.view = view;
  useLayoutEffect(() => reader.start(), [list]);
  // After each rendering: the browser has not painted yet, so the reader sees no movement.
  useLayoutEffect(() => reader.afterLayout());
  return {
    ...{ isReading: reader.isReading(), below },
    onScroll: () => reader.onScroll(),
    toNewest: () => reader.toNewest(),
  };
}

/** What the list shows, since the last rendering. */
interface ReaderView extends ScrollingOptions {
  readonly panel: Panel;
  readonly unread: ReadonlyMap<number, Message>;
  setBelow(count: number | undefined): void;
}

/** Keeps the place of the reader in a list. Not the state of a component: a rendering does not depend on it. */
class Reader {
  view: ReaderView;
  #anchor: ScrollAnchor | undefined;
  #isInSight = false;
  /** ID of the next one. 0: there is none. */
  #frame = 0;
  // What the list showed before the last change.
  #connections: number;
  #generation = -1;
  #hasNewest = false;
  #sentAt = Date.now();
  #isHidden = false;
  // Whether the reader was at the end in the last frame, and which messages have come at the end since then.
  #followed = false;
  readonly #passing = new Set<number>();

  constructor(view: ReaderView) {
    this.view = view;
    this.#connections = view.panel.connections;
  }

  /** @returns ends it */
  start(): (() => void) | undefined {
    const { scroller, list, panel } = this.view;
    const element = scroller.current;
    if (!element) return;
    this.#anchor = new ScrollAnchor(element, {
      mayFollow: () => list.state.get().hasNewest,
      limit: () => (this.isReading() ? null : element.querySelector<HTMLElement>('.unread-line')),
    });
    const observer = new ResizeObserver(() => this.afterLayout());
    const endAttention = this.#listenToAttention(element);
    const endArrivals = this.#listenToArrivals();
    // Messages that the list has not loaded count too.
    const endCounts = panel.store.unread.listen(() => this.#look());
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => {
      endAttention();
      endArrivals();
      endCounts();
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    };
  }

  /** Whether the user sees the list now: its page is visible and has the focus, half of it is in sight, and no dialog above. */
  isReading(): boolean {
    if (!this.#isInSight || document.visibilityState !== 'visible' || !document.hasFocus()) return false;
    const dialog = dialogAbove(this.view.scroller.current);
    // Also a dialog that is removed says that it was closed. The browser keeps one listener.
    dialog?.addEventListener('close', this.#attentionChanged);
    return dialog === undefined;
  }

  readonly #attentionChanged = () => {
    if (!this.isReading()) return;
    this.#anchor?.remember();
    this.#look();
  };

  #listenToAttention(element: HTMLElement): () => void {
    const observer = new IntersectionObserver(
      (entries) => {
        this.#isInSight = entries.at(-1)?.isIntersecting ?? false;
        this.#attentionChanged();
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    document.addEventListener('visibilitychange', this.#attentionChanged);
    window.addEventListener('focus', this.#attentionChanged);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', this.#attentionChanged);
      window.removeEventListener('focus', this.#attentionChanged);
    };
  }

  #listenToArrivals(): () => void {
    const { panel, list } = this.view;
    let [newest, wasFetching] = [0, true];
    return list.state.subscribe(({ messages, loading }) => {
      // What was missed without a connection, or fetched, has not passed the reader. A hidden page has no frames.
      const isLive = panel.store.status.get().state === 'live';
      const isArrival = isLive && !wasFetching && this.isReading();
      for (const { id } of messages) if (isArrival && id > newest) this.#passing.add(id);
      newest = Math.max(newest, messages.at(-1)?.id ?? 0);
      wasFetching = loading === 'first';
    });
  }

  onScroll(): void {
    this.#anchor?.onScroll();
    this.#look();
  }

  toNewest(): void {
    this.#toEnd(this.view.list.state.get());
    this.#look();
  }

  #toEnd({ hasNewest }: MessageListState): void {
    if (hasNewest) this.#anchor?.toEnd();
    else void this.view.list.around('newest');
  }

  afterLayout(): void {
    const { scroller, state, panel } = this.view;
    const [element, anchor] = [scroller.current, this.#anchor];
    if (!element || !anchor) return;
    // Without a box, nothing has a place. When it is visible again, the reader is where they were.
    const wasHidden = this.#isHidden;
    this.#isHidden = element.clientHeight === 0;
    if (this.#isHidden) return;
    if (wasHidden || this.#connections !== panel.connections) anchor.ignoreMove();
    this.#connections = panel.connections;
    const sentAt = state.outgoing.at(-1)?.sentAt ?? 0;
    if (state.loading !== 'first' && state.generation !== this.#generation) {
      this.#generation = state.generation;
      place(element, anchor, state);
    } else if (sentAt > this.#sentAt) this.#toEnd(state);
    else {
      anchor.restore();
      if (state.hasNewest !== this.#hasNewest) anchor.remember();
    }
    this.#hasNewest = state.hasNewest;
    this.#sentAt = Math.max(this.#sentAt, sentAt);
    this.#look();
  }

  /** What is in sight counts as read, in the next frame: many changes can come in one. */
  #look(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#see();
    });
  }

  #see(): void {
    const { scroller, list, panel, unread, marksRead, setBelow } = this.view;
    const element = scroller.current;
    if (!element) return;
    fetchAtEdges(element, list);
    const isReading = this.isReading();
    const follows = isReading && this.#anchor?.isAtEnd === true;
    const top = this.#anchor?.topId;
    if (follows) list.holdAt('newest');
    else if (top !== undefined) list.holdAt(top);
    if (marksRead && isReading) {
      markVisible(panel, element, unread);
      // Many messages can pass between two frames.
      if (follows && this.#followed) panel.store.messages.markRead(this.#passing);
    }
    this.#passing.clear();
    this.#followed = follows;
    setBelow(belowOf(element, list, panel.store));
  }
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

function belowOf(scroller: HTMLElement, list: MessageList, { messages }: ChatStore): number | undefined {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  if (list.state.get().hasNewest && scrollHeight - clientHeight - scrollTop <= JUMP_DISTANCE) return undefined;
  return messages.countUnread(list.narrow, Number(visibleRows(scroller).at(-1)?.dataset.id ?? 0));
}

// Whether the reader looks at the list, and what they have read.

/** Values of the setting `web_mark_read_on_scroll_policy`. */
const MARKS_IN_CONVERSATIONS = 2;
const MARKS_NEVER = 3;

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

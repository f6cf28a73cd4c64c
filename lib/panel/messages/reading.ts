/** Whether the reader looks at the list, and what they have read. */
import { useEffect, useRef } from 'preact/hooks';
import type { Message, Narrow } from '../../client/store/types.ts';
import { type Panel, useCell, usePanel } from '../context.ts';
import { visibleRows } from './anchoring.ts';
import { isPlace } from './places.ts';

/** Values of the setting `web_mark_read_on_scroll_policy`. */
const ONLY_CONVERSATIONS = 2;
const NEVER = 3;

/** Whether the user sees the list now: its page is visible and has the focus, and at least half of it is in sight. */
export interface Attention {
  isReading(): boolean;
}

/** @param onReturn called when the reader comes back */
export function useAttention(scroller: { current: HTMLElement | null }, onReturn: () => void): Attention {
  const state = useRef({ isInSight: false, onReturn });
  state.current.onReturn = onReturn;
  const attention = useRef<Attention>({
    isReading: () => state.current.isInSight && document.visibilityState === 'visible' && document.hasFocus(),
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const changed = () => attention.current.isReading() && state.current.onReturn();
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

/** Marks messages as read whose end is in sight. */
export function markVisible(panel: Panel, scroller: HTMLElement, unread: ReadonlyMap<number, Message>): void {
  if (unread.size === 0) return;
  const { bottom } = scroller.getBoundingClientRect();
  const ids: number[] = [];
  for (const row of visibleRows(scroller)) {
    const id = Number(row.dataset.id);
    if (unread.has(id) && row.getBoundingClientRect().bottom <= bottom + 1) ids.push(id);
  }
  if (ids.length > 0) panel.store.markRead(ids);
}

/** Whether reading marks as read here, by the user's setting. */
export function useMarksRead(narrow: Narrow): boolean {
  const { store, isReadonly } = usePanel();
  const policy = useCell(store.settings)?.web_mark_read_on_scroll_policy;
  if (isReadonly || policy === NEVER) return false;
  return policy === ONLY_CONVERSATIONS ? isPlace(narrow) : true;
}

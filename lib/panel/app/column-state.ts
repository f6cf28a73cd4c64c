/** Whether the column beside a conversation is open, and what it shows. The column itself is a part of its own. */
import { createContext } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../context.ts';
import type { Router } from './router.tsx';
import type { Route } from './routes.ts';

/** A conversation without its topic: the column has the people and files of the whole channel. */
export type ColumnPlace = { readonly channelId: number } | { readonly userIds: readonly number[] };

export type ColumnTab = 'people' | 'files';

export interface ColumnControl {
  /** Undefined: the column is closed. */
  readonly tab: ColumnTab | undefined;
  /** The user has just opened it: it gets the focus. */
  readonly isFocused: boolean;
  show(tab: ColumnTab): void;
  /** Like `show`, but leaves the focus where it is. */
  choose(tab: ColumnTab): void;
  toggle(): void;
  close(): void;
  /** Leads to another conversation with its column. */
  showAt(to: Route, tab: ColumnTab): void;
}

export const ColumnContext = createContext<ColumnControl | undefined>(undefined);

/** Pixels of the panel from which the column is beside the conversation, as in `column.css`. Otherwise it is above it. */
const WIDTH_FOR_COLUMN = 1200;

/** In `localStorage`, which a browser can disable. */
const KEY = 'parlance-column';

function remembered(): ColumnTab | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'people' || stored === 'files' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function remember(tab: ColumnTab | undefined): void {
  try {
    if (tab) localStorage.setItem(KEY, tab);
    else localStorage.removeItem(KEY);
  } catch {
    // The column is closed after the next reload.
  }
}

export function useColumn({ visit, go }: Pick<Router, 'visit' | 'go'>): ColumnControl {
  const { host } = usePanel();
  const isBeside = () => host.clientWidth >= WIDTH_FOR_COLUMN;
  const [{ tab, isFocused }, setState] = useState<{ tab: ColumnTab | undefined; isFocused: boolean }>(() => ({
    tab: isBeside() ? remembered() : undefined,
    isFocused: false,
  }));
  const next = useRef<ColumnTab>(undefined);
  useLayoutEffect(() => {
    const wanted = next.current;
    next.current = undefined;
    if (wanted) show(wanted);
    // Above the conversation, it would hide where the user goes.
    else setState((before) => ({ tab: isBeside() ? before.tab : undefined, isFocused: false }));
  }, [visit]);
  const change = (to: { tab: ColumnTab | undefined; isFocused: boolean }) => {
    setState(to);
    // Above the conversation, it is open for a moment.
    if (isBeside()) remember(to.tab);
  };
  const show = (to: ColumnTab) => change({ tab: to, isFocused: true });
  const close = () => change({ tab: undefined, isFocused: false });
  return {
    tab,
    isFocused,
    show,
    close,
    choose: (to) => change({ tab: to, isFocused }),
    toggle: () => (tab ? close() : show('people')),
    showAt: (to, wanted) => {
      next.current = wanted;
      go(to);
    },
  };
}

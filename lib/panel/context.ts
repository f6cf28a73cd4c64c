/** What all parts of a panel share. `usePanel` reads it. */

import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Cell, ChatStore, Narrow, Person } from '../client/store/types.ts';
import type { Formats } from './formats.ts';
import type { ConversationWords, TextsOf } from './words/conversation-words.ts';

/** Where the reader goes: messages, or a page of the app. */
export type Destination =
  | {
      readonly narrow: Narrow;
      readonly at?: 'first_unread' | 'newest' | number;
      /** A message of the topic: if it was moved, the reader wants the topic that it is in now. */
      readonly with?: number;
      /** The topic on the screen has a new place. */
      readonly isMove?: true;
      /** The reader wants to write there: the composer gets the focus. */
      readonly toWrite?: true;
    }
  /** `inbox`, `settings`, `channels`, `people` and others; `id` is that of a channel or a user. */
  | { readonly page: string; readonly id?: number };

/** Events of the element, with their `detail`. All bubble and are composed. */
export interface PanelEvents {
  /** The chat has its first data. */
  'parlance-ready': { readonly userId: number };
  /** Unread counts changed. */
  'parlance-unread': { readonly total: number; readonly mentions: number };
  /** Cancelable: the page shows the destination itself. */
  'parlance-open': Destination;
  /** The user sent a message. */
  'parlance-sent': { readonly localId: string };
  /** The state of the store changed. */
  'parlance-state': { readonly state: string };
  /** Something failed. */
  'parlance-error': { readonly error: Error };
  /** The server refuses the login. */
  'parlance-signed-out': { readonly reason: SignedOutReason };
}

/** Why the server refuses the login. `ended`: there is none, or it was ended. `changed`: it is that of another account. */
export type SignedOutReason = 'ended' | 'expired' | 'deactivated' | 'changed';

export interface Panel {
  readonly store: ChatStore;
  readonly words: ConversationWords;
  readonly formats: Formats;
  /** The element `<parlance-panel>`. */
  readonly host: HTMLElement;
  /** The address of the chat, absolute, without a slash at the end: `https://example.com/chat`. */
  readonly site: string;
  readonly isReadonly: boolean;
  /** From the attribute `enter`. Undefined: the setting of the user decides. */
  readonly enterSends: boolean | undefined;
  /** Whether a click loads images of other sites. The policy of the web app forbids it. */
  readonly loadsExternal: boolean;
  /** Parts that are not shown, from the attribute `hide`: `header`, `composer`, `typing`, `actions`. */
  readonly hidden: ReadonlySet<string>;
  /** Shows messages or a page. Dispatches `parlance-open` first, which a page can cancel. */
  navigate(to: Destination): void;
  /** Says it to screen readers. At most one text each 2 seconds. */
  announce(text: string): void;
  /** The same for a new message. Counts those that wait. */
  announceMessage(text: string): void;
  /** Grows when the element was moved in the document: browsers then forget scroll positions. */
  readonly connections: number;
  /** Clicks, keys and touches on messages before what listens to them has loaded, which takes them from here. */
  readonly early: EarlyEvents;
  /** Dispatches an event of the element. False if a listener canceled it. */
  dispatch<N extends keyof PanelEvents>(name: N, detail: PanelEvents[N]): boolean;
}

/** Links in messages that lead within the chat. */
export const OWN_LINKS = 'a:not([target])';

/** By type. Undefined: what listens to this type has loaded. */
export type EarlyEvents = Record<string, EarlyEvent[] | undefined>;

/** The browser removes the target from an event of a shadow root. */
export type EarlyEvent = readonly [event: Event, target: Element];

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('This component is only for a panel.');
  return panel;
}

/**
 * A hook like `usePanel`, with more texts. Those of the page come first. A panel renders hundreds of rows, so it has one
 * object for all of them.
 * @example const useApp = withWords(APP_WORDS);
 */
export function withWords<T extends object>(more: T): () => PanelWith<T> {
  const known = new WeakMap<Panel, PanelWith<T>>();
  return () => {
    const panel = usePanel();
    const extended = known.get(panel) ?? { ...panel, words: { ...(more as TextsOf<T>), ...panel.words } };
    known.set(panel, extended);
    return extended;
  };
}

type PanelWith<T> = Panel & { readonly words: TextsOf<T> };

/** The value of a cell; the component is rendered again after it changed. */
export function useCell<T>(cell: Cell<T>): T {
  const [, setVersion] = useState(0);
  const rendered = cell.get();
  useEffect(() => {
    let seen = rendered;
    // `subscribe` calls at once: a change between rendering and this effect is not missed.
    return cell.subscribe((value) => {
      if (value === seen) return;
      seen = value;
      setVersion((version) => version + 1);
    });
  }, [cell]);
  return rendered;
}

/** A cell that is looked up by a key, such as `store.activity.typing(place)`: the same cell while `key` is the same. */
export function useCellOf<T>(find: () => Cell<T>, keys: readonly unknown[]): T {
  return useCell(useMemo(find, [...keys]));
}

/** Users by ID, in the same order. Those that are not fetched yet are undefined. */
export function usePeople(ids: readonly number[]): readonly (Person | undefined)[] {
  const { store } = usePanel();
  const [, setVersion] = useState(0);
  const key = ids.join();
  useEffect(() => {
    const ends = ids.map((id) => store.people.user(id).listen(() => setVersion((version) => version + 1)));
    setVersion((version) => version + 1);
    return () => {
      for (const end of ends) end();
    };
  }, [store, key]);
  return ids.map((id) => store.people.user(id).get());
}

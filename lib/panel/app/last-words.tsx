/** The newest message of a conversation in a list: its sender, its words and its time. */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ChatStore, Message } from '../../client/store/types.ts';
import { textOf } from '../content/text-of.ts';
import { useCell, useCellOf } from '../context.ts';
import type { Formats } from '../formats.ts';
import { useOverviewWords } from '../words/overview-words.ts';

/** The message with this ID, which is fetched together with others. @param isWanted false while a list may bring it */
export function useMessage(id: number, isWanted: boolean): Message | undefined {
  const { store } = useOverviewWords();
  const message = useCellOf(() => store.messages.message(id), [store, id]);
  const { state } = useCell(store.status);
  // After `useCellOf`: the store keeps what it fetches for listeners.
  useEffect(() => {
    if (isWanted && state === 'live' && !message) fetchSoon(store, id);
  }, [store, id, isWanted, state]);
  return message;
}

/** A response has at most 10 MB: also with the longest messages, these fit. */
const MESSAGES_PER_REQUEST = 100;

const wanted = new WeakMap<ChatStore, Set<number>>();

function fetchSoon(store: ChatStore, id: number): void {
  const waiting = wanted.get(store);
  if (waiting) return void waiting.add(id);
  const ids = new Set([id]);
  wanted.set(store, ids);
  queueMicrotask(() => {
    wanted.delete(store);
    // Without its words, a row still leads to the conversation. The next connection fetches them.
    fetchAll(store, [...ids]).catch(() => {});
  });
}

async function fetchAll({ messages }: ChatStore, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += MESSAGES_PER_REQUEST)
    await messages.fetch(ids.slice(start, start + MESSAGES_PER_REQUEST));
}

interface RowTextProps {
  /** Undefined until it is fetched. */
  message: Message | undefined;
  /** The name of the conversation. */
  children: ComponentChildren;
}

/** The text of a row: name and time, and below them the sender and the words. */
export function RowText({ message, children }: RowTextProps): JSX.Element {
  return (
    <span class="row-text">
      <span class="row-head">
        <span class="row-name" dir="auto">
          {children}
        </span>
        {message && <When message={message} />}
      </span>
      {message && <LastWords message={message} />}
    </span>
  );
}

function LastWords({ message: { content, place, sender_id, sender_full_name } }: { message: Message }): JSX.Element {
  const { store, words } = useOverviewWords();
  const me = useCell(store.me)?.user_id;
  const isHidden = useCell(store.mutedUsers).has(sender_id);
  const text = useMemo(() => textOf(content), [content]);
  const name = sender_id === me ? words.you : sender_full_name;
  // The conversation has the name of the other one.
  const isOther = 'userIds' in place && place.userIds.join() === `${sender_id}`;
  return (
    <span class="last-words" dir="auto">
      {isHidden ? name : isOther ? text : words.saidBy(name, text)}
    </span>
  );
}

function When({ message: { timestamp } }: { message: Message }): JSX.Element {
  const { formats } = useOverviewWords();
  const at = timestamp * 1000;
  return (
    <time class="when" dateTime={new Date(at).toISOString()} title={formats.full(at)}>
      {shortTime(at, formats)}
    </time>
  );
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** The time of today, and otherwise the date. */
function shortTime(at: number, { lang, time, dayKey }: Formats): string {
  const now = Date.now();
  if (dayKey(at) === dayKey(now)) return time(at);
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const key = `${lang} ${isThisYear}`;
  const format =
    dates.get(key) ??
    new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) });
  dates.set(key, format);
  return format.format(at);
}

/** Up and down lead through the rows of the page. @returns for the element of the page */
export function useRowKeys(): { current: HTMLDivElement | null } {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => page.current?.addEventListener('keydown', moveInRows), []);
  return page;
}

function moveInRows(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.row-link')];
  const at = rows.indexOf(event.target as HTMLElement);
  const next = at < 0 ? undefined : rows[at + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

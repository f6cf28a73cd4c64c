/** What the list shows: messages, and lines between them. */
import type { Message, Place } from '../../client/store/types.ts';
import { placesKey } from './places.ts';

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'unread'; readonly key: string }
  /** In lists of several conversations: where the messages below are. */
  | { readonly kind: 'place'; readonly key: string; readonly place: Place; readonly messageId: number }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: Message;
      readonly hasSender: boolean;
      readonly isHidden: boolean;
      /** No result of the search: it is around one. */
      readonly isAround: boolean;
    };

/** Messages of one sender within this time have one heading. */
const GROUP_SECONDS = 5 * 60;

interface RowOptions {
  /** The first unread message when the reader came. */
  readonly unreadLine: number | undefined;
  readonly hasPlaces: boolean;
  /** Of a search: which message has a line with its place above it, and the result that this line is about. */
  readonly heads?: ReadonlyMap<number, number> | undefined;
  /** Of a search: messages that are no results. */
  readonly around?: ReadonlySet<number> | undefined;
  /** Senders whose messages the panel hides. */
  readonly muted: ReadonlySet<number>;
  /** The day of a time, in milliseconds. */
  dayKey(at: number): string;
}

export function rowsOf(messages: readonly Message[], options: RowOptions): Row[] {
  const { unreadLine, hasPlaces, heads, around, muted, dayKey } = options;
  const rows: Row[] = [];
  let before: Message | undefined;
  let dayBefore: string | undefined;
  for (const message of messages) {
    const at = message.timestamp * 1000;
    const day = dayKey(at);
    const isNewDay = day !== dayBefore;
    const isUnreadLine = message.id === unreadLine;
    const isNewPlace = heads
      ? heads.has(message.id)
      : hasPlaces && (!before || placesKey(before.place) !== placesKey(message.place));
    if (isNewDay) rows.push({ kind: 'day', key: `day ${day} ${message.id}`, at });
    if (isNewPlace || (hasPlaces && isNewDay && !heads)) {
      const messageId = heads?.get(message.id) ?? message.id;
      rows.push({ kind: 'place', key: `place ${message.id}`, place: message.place, messageId });
    }
    if (isUnreadLine) rows.push({ kind: 'unread', key: 'unread' });
    const continues =
      before !== undefined &&
      !(isNewDay || isUnreadLine || isNewPlace) &&
      before.sender_id === message.sender_id &&
      !before.is_me_message &&
      !message.is_me_message &&
      message.timestamp - before.timestamp < GROUP_SECONDS;
    const isHidden = muted.has(message.sender_id);
    const isAround = around?.has(message.id) === true;
    rows.push({ kind: 'message', key: `${message.id}`, message, hasSender: !continues, isHidden, isAround });
    [before, dayBefore] = [message, day];
  }
  return rows;
}

/** Whether two rows with the same key show the same. */
export function isSameRow(a: Row, b: Row): boolean {
  if (a.kind === 'message') {
    const { message, hasSender, isHidden, isAround } = b as typeof a;
    return a.message === message && a.hasSender === hasSender && a.isHidden === isHidden && a.isAround === isAround;
  }
  return a.kind !== 'place' || (b.kind === 'place' && a.place === b.place && a.messageId === b.messageId);
}

const isUnread = ({ flags }: Message) => !flags.has('read');

/**
 * Where the line "new messages" is. It stays while the reader is here, and moves when the reader has read all and more arrives
 * while the reader looks elsewhere.
 */
export function unreadLineOf(
  line: number | undefined,
  messages: readonly Message[],
  { isReading, isNew }: { isReading: boolean; isNew: boolean },
): number | undefined {
  const first = messages.find(isUnread)?.id;
  if (isNew) return first;
  if (isReading || first === undefined) return line;
  const hasUnreadBelow = line !== undefined && first <= line;
  // The reader has seen the message at the line: later ones get a line of their own.
  const isLineRead = line !== undefined && !messages.some((message) => message.id === line && isUnread(message));
  return line === undefined || hasUnreadBelow || isLineRead ? first : line;
}

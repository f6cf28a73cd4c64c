import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import type { Conversation } from '../interface/conversations.ts';
import { type Connection, inOrder } from './connection.ts';
import { type MovedReader, type Range, ReadRangeRewriter, type Slot } from './read-ranges.ts';
import { floorIn, isFloorless, isMuted, NO_FLOOR, UNREAD_BIT } from './read-rule.ts';
import { rows, run } from './store.ts';

/**
 * Of a subscriber `s`. Looked up for each: as a join, PostgreSQL without statistics takes either side for one row and
 * compares each of thousands with all others.
 */
const inOther = (value: string) =>
  `(SELECT ${value} FROM subscriptions o WHERE o.user_id = s.user_id AND o.channel_id = ? AND o.active = 1)`;

/** Subscribers of the new channel, with the floors that hold for the new topic and for the old one. */
const subscribersOf = rows<Subscriber>(`
  SELECT s.user_id, ${floorIn('s', 'CAST(? AS BIGINT)')} AS floor,
    ${inOther(floorIn('o', 'CAST(? AS BIGINT)'))} AS old_floor
  FROM subscriptions s
  WHERE s.channel_id = ? AND s.active = 1`);
const slotsIn = rows<{ id: number; conversation_id: number; sender_id: number; read_by_sender: number }>(`
  SELECT id, conversation_id, sender_id, read_by_sender FROM messages
  WHERE conversation_id IN (?, ?) AND id >= ? AND id <= ? ORDER BY id`);
// By subscriber, since ranges are stored by user.
const rangesIn = rows<StoredRange>(`
  SELECT r.user_id, r.conversation_id, r.from_id, r.to_id
  FROM subscriptions s JOIN read_ranges r ON r.user_id = s.user_id
  WHERE s.channel_id = ? AND s.active = 1 AND r.conversation_id IN (?, ?) AND r.to_id >= ? AND r.from_id <= ?
  ORDER BY r.user_id, r.from_id`);
const rangesOfUsers = rows<StoredRange>(`
  SELECT user_id, conversation_id, from_id, to_id FROM read_ranges
  WHERE user_id IN_IDS(?) AND conversation_id = ? ORDER BY user_id, from_id`);
const markedAmong = rows<Mark>(`
  SELECT message_id, user_id FROM message_flags WHERE message_id IN_IDS(?) AND (bits & ${UNREAD_BIT}) <> 0`);

const deleteRanges = run(`
  DELETE FROM read_ranges WHERE (user_id, conversation_id, from_id) IN
    (SELECT p.a, CAST(? AS BIGINT), p.b FROM PAIRS(?) AS p)`);
const insertRanges = run(`
  INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
  SELECT p.a, CAST(? AS BIGINT), p.b, CAST(p.c AS BIGINT) FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`);
const mark = run(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT p.a, p.b, ${UNREAD_BIT} FROM PAIRS(?) AS p JOIN messages m ON m.id = p.a WHERE NOT ${isMuted('p.b')}
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | ${UNREAD_BIT}`);
const clearMarks = run(`
  UPDATE message_flags SET bits = bits & ~${UNREAD_BIT}
  WHERE (message_id, user_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p)`);
const dropBare = run(`
  DELETE FROM message_flags WHERE (message_id, user_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p) AND bits = 0`);

/** Explicit marks in the conversation of users who are subscribed to one channel and not to the other. */
const strandedMarks = rows<Mark>(`
  SELECT f.message_id, f.user_id FROM subscriptions s
  JOIN message_flags f ON f.user_id = s.user_id
  JOIN messages m ON m.id = f.message_id
  WHERE s.channel_id = ? AND s.active = 1 AND (f.bits & ${UNREAD_BIT}) <> 0 AND m.conversation_id = ?
    AND ${inOther('1')} IS NULL`);
/**
 * Used when a whole topic moves. Selects the subscribers of the new channel, with the floors of their subscriptions to
 * both channels. `is_floorless`: no floor applies to the topic.
 */
const subscribersOfWhole = rows<Subscriber & { is_floorless: number }>(`
  SELECT s.user_id, s.floor, ${inOther('o.floor')} AS old_floor,
    CASE WHEN ${isFloorless('s.user_id', 'CAST(? AS BIGINT)')} THEN 1 ELSE 0 END AS is_floorless
  FROM subscriptions s
  WHERE s.channel_id = ? AND s.active = 1`);

interface Mark {
  message_id: number;
  user_id: number;
}

interface Subscriber {
  user_id: number;
  floor: number;
  old_floor: number | null;
}

type StoredRange = Range & { user_id: number; conversation_id: number };

/**
 * Most ranges and marks that a move may write. Alternate reading of both topics needs a range per change and reader.
 */
const MAX_WRITTEN_ROWS = 100_000;
/** Most explicit marks for unread messages below a floor. Beyond, a floorless range is written instead. */
const MAX_MARKS_PER_READER = 10;

/**
 * Keeps the read state of all users when messages move to another topic. Call it before the move. Returns false and
 * writes nothing if too many rows would be needed.
 */
export async function carryOver(
  connection: Connection,
  ids: readonly number[],
  from: Conversation,
  to: Conversation,
): Promise<boolean> {
  const ordered = inOrder([...ids]);
  const extent = [present(ordered[0]), present(ordered.at(-1))] as const;
  const moving = new Set(ids);
  const messages = await slotsIn(connection, from.id, to.id, ...extent);
  const slots: Slot[] = messages
    .filter(({ id, conversation_id }) => conversation_id === to.id || moving.has(id))
    .map((slot) => ({ ...slot, read_by_sender: slot.read_by_sender === 1, arriving: moving.has(slot.id) }));
  if (slots.length === 0) return true;
  const window = new ReadRangeRewriter(slots);
  const readers = await readersAmong(connection, from, to, extent);
  const marks = await markedAmong(connection, ids);
  const stranded: [number, number][] = [];
  for (const { message_id, user_id } of marks) {
    const reader = readers.get(user_id);
    if (reader) reader.marked.add(message_id);
    else stranded.push([message_id, user_id]);
  }
  const gone: [number, number][] = [];
  const kept: [number, number, number][] = [];
  const marked: [number, number][] = [];
  const floorless: MovedReader[] = [];
  const replace = (user: number, before: readonly Range[], ranges: readonly Range[]) => {
    if (sameRanges(ranges, before)) return;
    const begins = new Set(ranges.map((range) => range.from_id));
    for (const range of before) if (!begins.has(range.from_id)) gone.push([user, range.from_id]);
    for (const range of ranges) kept.push([user, range.from_id, range.to_id]);
  };
  for (const reader of readers.values()) {
    const { ranges, unread } = window.rewrite(reader);
    if (unread.length > MAX_MARKS_PER_READER) floorless.push(reader);
    else {
      for (const id of unread) marked.push([id, reader.user_id]);
      replace(reader.user_id, reader.after, ranges);
    }
    if (kept.length + marked.length > MAX_WRITTEN_ROWS) return false;
  }
  const floorlessIds = floorless.map((reader) => reader.user_id);
  const stored = groupBy(await rangesOfUsers(connection, floorlessIds, to.id), ({ user_id }) => user_id);
  for (const reader of floorless) {
    const before = stored.get(reader.user_id) ?? [];
    const lifted = withoutFloor(reader.floor, before);
    const after = lifted.filter((range) => range.to_id >= window.low && range.from_id <= window.high);
    const { ranges } = window.rewrite({ ...reader, floor: 0, after });
    replace(reader.user_id, before, [...ranges, ...lifted.filter((range) => range.from_id > window.high)]);
    if (kept.length + marked.length > MAX_WRITTEN_ROWS) return false;
  }
  await deleteRanges(connection, to.id, gone);
  await insertRanges(connection, to.id, kept);
  await mark(connection, marked);
  await unmark(connection, stranded);
  return true;
}

/** Converts a floor to the first range of a conversation without floor. */
function withoutFloor(floor: number, ranges: readonly Range[]): Range[] {
  const first = { from_id: NO_FLOOR, to_id: floor };
  const others: Range[] = [];
  for (const range of ranges) {
    if (range.from_id > first.to_id + 1) others.push(range);
    else first.to_id = Math.max(first.to_id, range.to_id);
  }
  return [first, ...others];
}

/** Keeps the read state of all users when a whole topic moves to another channel, without reading each message. */
export async function carryOverWhole(
  connection: Connection,
  conversation: Conversation,
  channelId: number,
  upTo: number,
): Promise<void> {
  const oldChannel = present(conversation.channel_id);
  const subscribers = await subscribersOfWhole(connection, oldChannel, conversation.id, channelId);
  // Where the first range begins, and ends. What is unread under the new floor stays so, however many that are, by
  // one range each that says that the floor does not hold.
  const firsts = new Map<number, { from: number; to: number }>();
  for (const { user_id, floor, old_floor, is_floorless } of subscribers) {
    if (old_floor === null) {
      // All of it is read.
      if (upTo > floor || is_floorless === 1) firsts.set(user_id, { from: 0, to: Math.max(upTo, floor) });
    } else if (is_floorless === 0 && old_floor !== floor) {
      firsts.set(user_id, { from: old_floor < floor ? NO_FLOOR : 0, to: old_floor });
    }
  }
  if (firsts.size > 0) {
    const stored = await rangesOfUsers(connection, [...firsts.keys()], conversation.id);
    const gone: [number, number][] = [];
    for (const range of stored) {
      const first = firsts.get(range.user_id);
      if (!first || range.from_id > first.to + 1) continue;
      if (range.from_id !== first.from) gone.push([range.user_id, range.from_id]);
      first.to = Math.max(first.to, range.to_id);
    }
    const kept = [...firsts].map(([user, { from, to }]) => [user, from, to]);
    await deleteRanges(connection, conversation.id, gone);
    await insertRanges(connection, conversation.id, kept);
  }
  const stranded = await strandedMarks(connection, oldChannel, conversation.id, channelId);
  await unmark(
    connection,
    stranded.map(({ message_id, user_id }) => [message_id, user_id]),
  );
}

type LoadedReader = MovedReader & { before: Range[]; after: Range[]; marked: Set<number> };

async function readersAmong(
  connection: Connection,
  from: Conversation,
  to: Conversation,
  extent: readonly [number, number],
): Promise<Map<number, LoadedReader>> {
  const subscribers = await subscribersOf(connection, to.id, from.id, from.channel_id, to.channel_id);
  const readers = new Map<number, LoadedReader>();
  for (const { user_id, floor, old_floor } of subscribers) {
    const reader = { user_id, floor, oldFloor: old_floor ?? undefined };
    readers.set(user_id, { ...reader, before: [], after: [], marked: new Set() });
  }
  const ranges = await rangesIn(connection, to.channel_id, from.id, to.id, ...extent);
  for (const { user_id, conversation_id, from_id, to_id } of ranges) {
    const reader = readers.get(user_id);
    (conversation_id === to.id ? reader?.after : reader?.before)?.push({ from_id, to_id });
  }
  return readers;
}

/** Removes explicit unread marks of pairs of message and user. */
export async function unmark(connection: Connection, pairs: readonly [number, number][]): Promise<void> {
  await clearMarks(connection, pairs);
  await dropBare(connection, pairs);
}

function sameRanges(some: readonly Range[], others: readonly Range[]): boolean {
  return (
    some.length === others.length &&
    some.every((range, at) => range.from_id === others[at]?.from_id && range.to_id === others[at]?.to_id)
  );
}

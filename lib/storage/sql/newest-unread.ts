import type { ReadStateStore } from '../interface/read-state.ts';
import type { Connection } from './connection.ts';
import { ANY_MENTION, NO_END, UNREAD_BIT } from './read-rule.ts';
import { unreadPlaces } from './read-slices.ts';
import type { Queries } from './store.ts';
import { inWindows, PLACED_SOURCES, unreadOf, type Window } from './unread-gaps.ts';

const unreadInPlaces = unreadOf(PLACED_SOURCES, { isOneReader: true });
const MARKED = `
  SELECT m.id, m.conversation_id FROM message_flags f JOIN messages m ON m.id = f.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE f.user_id = ? AND (f.bits & ${UNREAD_BIT}) <> 0 AND CASE WHEN c.channel_id IS NULL
    THEN EXISTS (SELECT 1 FROM conversation_participants p WHERE p.user_id = f.user_id AND p.conversation_id = c.id)
    ELSE EXISTS (
      SELECT 1 FROM subscriptions s WHERE s.user_id = f.user_id AND s.channel_id = c.channel_id AND s.active = 1) END
  ORDER BY f.message_id DESC LIMIT ?`;
const FLAGGED = `
  SELECT message_id AS id, bits FROM message_flags WHERE user_id = ? AND message_id >= ? ORDER BY message_id LIMIT ?`;
const MENTIONED = `
  SELECT message_id AS id, bits FROM message_flags
  WHERE message_id IN_IDS(?) AND user_id = ? AND (bits & ${ANY_MENTION}) <> 0`;
/** Up to this many rows, all flags are read instead of one lookup per message. */
const FEW_FLAGS = 20_000;

/** Number of unread messages to search for without windows first. */
const A_FEW = 2_000;

export interface Unread {
  id: number;
  conversation_id: number;
}

/** The newest unread messages of a user, newest first, at a cost proportional to the result. */
export const newestUnread: Queries<ReadStateStore>['unread'] = async (connection, userId, limit) => {
  const [unread, marked] = await Promise.all([
    newestInGaps(connection, userId, limit),
    connection.all<Unread>(MARKED, [userId, limit]),
  ]);
  const newest = new Map([...unread, ...marked].map(({ id, conversation_id }) => [id, conversation_id]));
  const ids = [...newest.keys()].sort((a, b) => b - a).slice(0, limit);
  if (ids.length === 0) return [];
  const mentioned = await mentionedAmong(connection, userId, ids);
  return ids.map((id) => ({ id, conversation_id: newest.get(id) as number, mentioned: mentioned.has(id) }));
};

async function mentionedAmong(connection: Connection, userId: number, ids: readonly number[]): Promise<Set<number>> {
  type Flags = { id: number; bits: number };
  const oldest = ids.at(-1) as number;
  let rows = await connection.all<Flags>(FLAGGED, [userId, oldest, FEW_FLAGS + 1]);
  if (rows.length > FEW_FLAGS) rows = await connection.all<Flags>(MENTIONED, [JSON.stringify(ids), userId]);
  return new Set(rows.filter(({ bits }) => (bits & ANY_MENTION) !== 0).map(({ id }) => id));
}

/** At least the newest `limit` messages, and some more. */
async function newestInGaps(connection: Connection, userId: number, limit: number): Promise<Unread[]> {
  // Conversations without unread messages (most) are skipped before the windows.
  const places = await unreadPlaces(connection, userId);
  if (places.length === 0) return [];
  const list = places.map(({ id, after_id }) => [id, after_id]);
  const find = async ({ low, high }: Window, most: number): Promise<Unread[] | undefined> => {
    const { conversations, ids } = await unreadInPlaces(connection, list, most + 1, userId, low, high);
    if (ids.length > most) return undefined;
    return ids.map((id, at) => ({ id, conversation_id: conversations[at] as number }));
  };
  const last = (await connection.value('SELECT MAX(id) FROM messages')) ?? 0;
  const most = Math.ceil(limit * 1.2);
  // Most users have few unread messages. Then this is the result. If the first window is everything, it costs no more.
  const few = last < most ? undefined : await find({ low: 0, high: NO_END }, Math.min(A_FEW, limit));
  if (few) return few;
  let found: Unread[] = [];
  for await (const unread of inWindows({ low: 0, high: last + 1 }, { isUp: false, most }, find)) {
    found = found.concat(unread);
    if (found.length >= limit) break;
  }
  return found;
}

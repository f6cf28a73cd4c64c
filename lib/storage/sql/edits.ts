import { groupBy } from '../../base/lists.ts';
import type { Edit, EditStore } from '../interface/edits.ts';
import type { Message } from '../interface/messages.ts';
import { inOrder, readIds } from './connection.ts';
import { record } from './record.ts';
import { after, column, type Queries, run } from './store.ts';

const EDIT = record<Edit>({
  id: 'integer',
  message_id: 'integer',
  conversation_id: 'integer',
  prev_conversation_id: 'integer',
  up_to_message_id: 'integer',
  part_of: 'integer',
  editor_id: 'integer',
  timestamp: 'integer',
  prev_content: 'text',
  prev_rendered_content: 'text',
  prev_topic: 'text',
  topic: 'text',
  prev_channel_id: 'integer',
  channel_id: 'integer',
});
const NEW_EDIT = EDIT.without('id');

const insertMany = run(NEW_EDIT.insertMany('edits'));

/**
 * Stays: the conversations of each message, from its move into each to its move out of it. Stay 0 is the current one.
 */
const STAYS = `
  SELECT o.message_id, o.prev_conversation_id AS conversation_id, LAG(o.id, 1, 0) OVER own AS arrival,
    o.id AS departure, ROW_NUMBER() OVER own AS stay
  FROM edits o WHERE o.message_id IN_IDS(?) AND o.conversation_id <> o.prev_conversation_id
  WINDOW own AS (PARTITION BY o.message_id ORDER BY o.id)
  UNION ALL
  SELECT m.id, m.conversation_id, COALESCE(
    (SELECT MAX(l.id) FROM edits l WHERE l.message_id = m.id AND l.conversation_id <> l.prev_conversation_id), 0),
    ${Number.MAX_SAFE_INTEGER}, 0
  FROM messages m WHERE m.id IN_IDS(?)`;

/** For several messages, later stays are merged: otherwise each move of a conversation is read for each message. */
const STAYS_TOGETHER = 8;

/**
 * Edits of the messages themselves, and moves of whole conversations that included them. For several messages, the
 * moves are searched together, so there may be some too many. For one message the result is exact.
 */
const IDS_OF_MESSAGES = `
  SELECT e.id FROM edits e WHERE e.message_id IN_IDS(?)
  UNION ALL
  SELECT DISTINCT e.id FROM (
    SELECT conversation_id, MIN(message_id) AS first_id, MIN(arrival) AS arrival, MAX(departure) AS departure
    FROM (${STAYS}) stays
    GROUP BY conversation_id, CASE WHEN stay < CAST(? AS BIGINT) THEN stay END) s
  CROSS JOIN edits e WHERE e.message_id IS NULL AND e.conversation_id = s.conversation_id
    AND e.id > s.arrival AND e.id < s.departure AND e.up_to_message_id >= s.first_id`;

/** Previous contents are summed from the newest edit backwards. Those beyond the limit are not returned. */
const OF_MESSAGES = `
  SELECT ${EDIT.of('t', {
    prev_content: 'CASE WHEN t.characters <= ? THEN t.prev_content END',
    prev_rendered_content: 'CASE WHEN t.characters <= ? THEN t.prev_rendered_content END',
  })}
  FROM (SELECT r.*,
      SUM(COALESCE(LENGTH(prev_content), 0) + COALESCE(LENGTH(prev_rendered_content), 0)) OVER (ORDER BY id DESC) AS characters
    FROM (SELECT i.id AS edit_id FROM (${IDS_OF_MESSAGES}) i ORDER BY i.id DESC LIMIT ?) newest
    JOIN edits r ON r.id = newest.edit_id) t
  ORDER BY id`;

/**
 * Messages that are in the conversation now and did not arrive later, and messages that were there and have been moved
 * on. The sets are disjoint. Each list is one value, since many rows would cost several times as much.
 */
const MESSAGES_MOVED = `
  SELECT ID_LIST(m.id) AS ids FROM edits e JOIN messages m ON m.conversation_id = e.conversation_id AND m.id <= e.up_to_message_id
  WHERE e.id = ?1 AND m.id NOT IN (
    SELECT i.message_id FROM edits w JOIN edits i ON i.conversation_id = w.conversation_id AND i.id > w.id
    WHERE w.id = ?1 AND i.conversation_id <> i.prev_conversation_id)
  UNION ALL
  SELECT ID_LIST(o.message_id) FROM edits e JOIN edits o ON o.prev_conversation_id = e.conversation_id AND o.id > e.id
  WHERE e.id = ?1 AND o.conversation_id <> o.prev_conversation_id AND o.message_id <= e.up_to_message_id
    AND NOT EXISTS (SELECT 1 FROM edits f
      WHERE f.message_id = o.message_id AND f.id > e.id AND f.id < o.id AND f.conversation_id <> f.prev_conversation_id)`;

export const edits: Queries<EditStore> = {
  add: NEW_EDIT.insert('edits'),
  messagesMoved: after(column<string>(MESSAGES_MOVED), (lists) => inOrder(lists.flatMap(readIds))),

  addForEach: (connection, messageIds, edit) =>
    insertMany(
      connection,
      messageIds.map((message_id) => NEW_EDIT.values({ ...edit, message_id })),
    ),

  async ofMessages(
    connection,
    messages,
    { characters = Number.MAX_SAFE_INTEGER, newest = Number.MAX_SAFE_INTEGER } = {},
  ) {
    const found = new Map<number, Edit[]>();
    if (messages.length === 0) return found;
    const ids = JSON.stringify(messages.map((message) => message.id));
    const together = messages.length === 1 ? Number.MAX_SAFE_INTEGER : STAYS_TOGETHER;
    const given = [characters, characters, ids, ids, ids, together, newest];
    const edits = await connection.many(EDIT, OF_MESSAGES, given);
    const own = groupBy(edits, (edit) => edit.message_id);
    const whole = groupBy(own.get(null) ?? [], (edit) => edit.conversation_id);
    for (const message of messages) {
      const its = editsOf(message, own.get(message.id) ?? [], whole);
      if (its.length > 0) found.set(message.id, its);
    }
    return found;
  },
};

/** The edits of a message, and the moves of whole conversations while the message was in them, ordered by ID. */
function editsOf(
  { id, conversation_id }: Pick<Message, 'id' | 'conversation_id'>,
  own: readonly Edit[],
  whole: ReadonlyMap<number, readonly Edit[]>,
): Edit[] {
  const moves = own.filter((edit) => edit.conversation_id !== edit.prev_conversation_id);
  const replaced = new Set(own.map((edit) => edit.part_of));
  const edits = [...own];
  let place = moves[0]?.prev_conversation_id ?? conversation_id;
  let arrival = 0;
  for (const move of [...moves, undefined]) {
    const departure = move?.id ?? Number.MAX_SAFE_INTEGER;
    for (const edit of whole.get(place) ?? []) {
      const tookItAlong = (edit.up_to_message_id ?? 0) >= id && edit.id > arrival && edit.id < departure;
      if (tookItAlong && !replaced.has(edit.id)) edits.push(edit);
    }
    if (!move) break;
    place = move.conversation_id;
    arrival = move.id;
  }
  return edits.sort((a, b) => a.id - b.id);
}

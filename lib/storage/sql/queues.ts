import type { EventCursor, EventCursorStore, EventQueue, QueueStore } from '../interface/queues.ts';
import { record } from './record.ts';
import { changes, column, count, type Queries, run, value } from './store.ts';

const QUEUE = record<EventQueue>({
  id: 'text',
  user_id: 'integer',
  client: 'text',
  event_types: 'json',
  narrow: 'json',
  all_public_streams: 'boolean',
  options: 'json',
  start_seq: 'integer',
  acked_seq: 'integer',
  last_used_ms: 'integer',
  lifespan: 'integer',
  holder: 'text',
});

const INSERT_QUEUE = `INSERT INTO event_queues (${QUEUE.columns}, expires_ms) VALUES (${QUEUE.places}, ?)`;
/** Deletes these queues `q` and returns their IDs. */
const removeQueues = (condition: string) =>
  column<string>(`
    WITH removed AS MATERIALIZED (SELECT q.id FROM event_queues q ${condition})
    DELETE FROM event_queues WHERE id IN (SELECT id FROM removed) RETURNING id`);

export const queues: Queries<QueueStore> = {
  byId: QUEUE.one(`SELECT ${QUEUE.columns} FROM event_queues WHERE id = ?`),
  remove: changes('DELETE FROM event_queues WHERE id = ?'),
  removeOfUsers: run('DELETE FROM event_queues WHERE user_id IN_IDS(?)'),
  touch: changes(`
    UPDATE event_queues SET acked_seq = CASE WHEN acked_seq < ?2 THEN ?2 ELSE acked_seq END,
      last_used_ms = ?3, expires_ms = ?3 + lifespan * 1000
    WHERE id = ?1`),
  hold: changes('UPDATE event_queues SET holder = ?2 WHERE id = ?1'),
  // Skips queues that a concurrent poll is updating: they are locked.
  removeExpired: removeQueues('WHERE q.expires_ms <= ? ORDER BY q.expires_ms LIMIT ? SKIP_LOCKED'),
  removeSurplus: removeQueues(
    'WHERE q.user_id = ? ORDER BY q.last_used_ms DESC, q.start_seq DESC, q.id LIMIT 100000 OFFSET ?',
  ),
  removeCrowd: removeQueues('ORDER BY q.expires_ms DESC, q.id LIMIT ?2 OFFSET ?1'),
  removeBehind: removeQueues('WHERE q.acked_seq < ? ORDER BY q.acked_seq LIMIT ? SKIP_LOCKED'),
  count: count('SELECT COUNT(*) AS n FROM (SELECT 1 FROM event_queues LIMIT ?) AS counted'),
  nextExpiry: value('SELECT MIN(expires_ms) AS at FROM event_queues'),
  oldestNeeded: value('SELECT MIN(acked_seq) AS seq FROM event_queues'),

  async create(connection, queue) {
    await connection.run(INSERT_QUEUE, [...QUEUE.values(queue), queue.last_used_ms + queue.lifespan * 1000]);
  },
};

const CURSOR = record<EventCursor>({
  name: 'text',
  position: 'integer',
  holder: 'text',
  lease_until_ms: 'integer',
});

export const eventCursors: Queries<EventCursorStore> = {
  all: CURSOR.many(`SELECT ${CURSOR.columns} FROM event_cursors ORDER BY name`),
  byName: CURSOR.one(`SELECT ${CURSOR.columns} FROM event_cursors WHERE name = ?`),
  ensure: run(`
    INSERT INTO event_cursors (name, position, lease_until_ms) VALUES (?, ?, 0) ON CONFLICT (name) DO NOTHING`),
  remove: changes('DELETE FROM event_cursors WHERE name = ?'),
  claim: CURSOR.one(`
    UPDATE event_cursors SET holder = ?2, lease_until_ms = ?4
    WHERE name = ?1 AND (holder IS NULL OR holder = ?2 OR lease_until_ms <= ?3) RETURNING ${CURSOR.columns}`),
  // Never backwards: a new holder may be further.
  save: changes(`
    UPDATE event_cursors SET position = CASE WHEN position < ?3 THEN ?3 ELSE position END, lease_until_ms = ?4
    WHERE name = ?1 AND holder = ?2`),
  release: run('UPDATE event_cursors SET holder = NULL, lease_until_ms = 0 WHERE name = ? AND holder = ?'),
  advance: changes(`
    UPDATE event_cursors
    SET position = CASE WHEN position < ?2 THEN ?2 ELSE position END, holder = NULL, lease_until_ms = 0
    WHERE name = ?1`),
  oldestNeeded: value('SELECT MIN(position) AS seq FROM event_cursors WHERE position >= ?'),
};

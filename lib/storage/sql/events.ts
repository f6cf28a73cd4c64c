import { present } from '../../base/present.ts';
import { type ErasedPerson, eventWithout, marksOf } from '../../rules/erasure.ts';
import type {
  Audience,
  EventCursor,
  EventCursorStore,
  EventDraft,
  EventQueue,
  EventStore,
  LoggedEvent,
  QueueStore,
} from '../interface/events.ts';
import { coversEvent } from './read-rule.ts';
import { record } from './record.ts';
import { after, changes, column, count, type Queries, row, rows, run, value } from './store.ts';

const SCOPES = { everyone: 1, members: 2, public: 3 } as const;
const SCOPE_NAMES = ['everyone', 'members', 'public'] as const;

interface EventRow {
  seq: number;
  scope: number;
  channel_id: number | null;
  body: string;
}

type Body = Omit<EventDraft, 'audience'> & Pick<Audience, 'users' | 'except'>;

const INSERT = `
  INSERT INTO events (created_ms, scope, channel_id, has_recipients, type, body)
  SELECT CAST(? AS BIGINT), NUMBER(0), NUMBER(1), NUMBER(2), TEXT(3), TEXT(4) FROM ROWS(?) WHERE true ORDER BY key
  RETURNING seq`;
const INSERT_ONE =
  'INSERT INTO events (created_ms, scope, channel_id, has_recipients, type, body) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq';
const INSERT_RECIPIENTS = 'INSERT INTO event_recipients (user_id, seq) SELECT p.a, p.b FROM PAIRS(?) AS p';
// One statement for both tables, since on PostgreSQL each costs a round trip.
const INSERT_WITH_RECIPIENTS = `
  WITH added AS (${INSERT}, has_recipients, body)
  INSERT INTO event_recipients (user_id, seq)
  SELECT DISTINCT CAST(u.value AS BIGINT), a.seq
  FROM added a, json_array_elements_text(CAST(a.body AS json)->'users') AS u WHERE a.has_recipients = 1`;
/** Rows per read. Each may be a message of the maximum length. */
const EVENTS_PER_READ = 100;
/** UTF-16 code units. */
const MAX_SIZE = 10_000_000;
const forUser = rows<EventRow>(`
  SELECT e.seq, e.scope, e.channel_id, e.body FROM events e
  WHERE e.seq > ?3 AND e.seq <= ?4 AND (CAST(?5 AS BIGINT) = 1 OR e.type IS NULL OR e.type IN_TEXTS(?6)) AND (
    e.scope = 1
    OR (e.scope = 2 AND CAST(?2 AS BIGINT) <> 600)
    OR (e.scope = 3 AND (CAST(?7 AS BIGINT) = -1 OR e.channel_id = CAST(?7 AS BIGINT)))
    OR (e.channel_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM subscription_periods p
      WHERE p.user_id = ?1 AND p.channel_id = e.channel_id AND ${coversEvent('p', 'e.seq')}))
    OR (e.has_recipients = 1 AND EXISTS (
      SELECT 1 FROM event_recipients r WHERE r.seq = e.seq AND r.user_id = ?1)))
  ORDER BY e.seq LIMIT ?8`);
const NOTE_TRIMMED = 'UPDATE event_log SET trimmed_to = ? WHERE trimmed_to < ?';
// Reads only the oldest rows, since later rows are newer.
const TRIM = `
  WITH oldest AS MATERIALIZED (
    SELECT e.seq, e.created_ms FROM events e WHERE e.seq < ? AND e.seq < (SELECT MAX(n.seq) FROM events n)
    ORDER BY e.seq LIMIT ? SKIP_LOCKED)
  DELETE FROM events WHERE seq IN (SELECT seq FROM oldest WHERE created_ms < ?) RETURNING seq`;
const TRIM_RECIPIENTS = 'DELETE FROM event_recipients WHERE seq IN_IDS(?)';

const withTexts = rows<{ seq: number; body: string }>(
  "SELECT seq, body FROM events WHERE seq > ? AND type IN ('message', 'update_message', 'submessage') ORDER BY seq LIMIT ?",
);
const rewrite = run('UPDATE events SET body = ? WHERE seq = ?');
/** Fields with texts of a message, in the event or in its `message`. */
const TEXTS = ['content', 'rendered_content', 'orig_content', 'orig_rendered_content'];

/** The body of an event without the text of its message. undefined: it is about none of these messages. */
function withoutText(text: string, ids: ReadonlySet<number>): string | undefined {
  // Most events are about other messages, and parsing all would take long.
  const named = text.matchAll(/"(?:message_)?id":([0-9]+)/g);
  if (![...named].some(([, id]) => ids.has(Number(id)))) return undefined;
  const body: Body = JSON.parse(text);
  const { event } = body;
  const message = event.message as { id: number } | undefined;
  if (!ids.has((message?.id ?? event.message_id) as number)) return undefined;
  for (const holder of [event, message] as (Record<string, unknown> | undefined)[])
    for (const field of TEXTS) if (typeof holder?.[field] === 'string') holder[field] = '';
  return JSON.stringify(body);
}

const bodies = rows<EventRow>('SELECT seq, scope, channel_id, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?');

function withoutPerson(
  { scope, channel_id, body }: Omit<EventRow, 'seq'>,
  person: ErasedPerson,
  options: { texts: boolean },
): string {
  const { id, address } = person;
  const { byId, byName } = marksOf(person);
  // Most events are about others, and parsing all would take long.
  const isConcerned =
    new RegExp(`"(?:user_|sender_|)id":${id}\\b|"users":\\[${id}\\]|data-user-id=..${id}\\b`).test(body) ||
    [address, byId, byName].some((text) => body.includes(JSON.stringify(text).slice(1, -1)));
  if (!isConcerned) return body;
  const parsed: Body = JSON.parse(body);
  const isPrivate = scope === 0 && channel_id === null && parsed.users?.length === 1 && parsed.users[0] === id;
  return JSON.stringify({ ...parsed, event: eventWithout(parsed.event, person, { ...options, isPrivate }) });
}

function bodyOf({ event, audience, forQueue, movedBy, archivedChannels, forUsers }: EventDraft): string {
  const { users, except } = audience;
  return JSON.stringify({
    event,
    forQueue,
    movedBy,
    archivedChannels,
    forUsers,
    users: users?.length ? users : undefined,
    except: except?.length ? except : undefined,
  } satisfies Body);
}

function toEvent({ seq, scope, channel_id, body }: EventRow): LoggedEvent {
  const { users, except, ...draft }: Body = JSON.parse(body);
  const audience: Audience = {};
  if (scope !== 0) audience.scope = present(SCOPE_NAMES[scope - 1]);
  if (channel_id !== null) audience.channel = channel_id;
  if (users) audience.users = users;
  if (except) audience.except = except;
  return { seq, audience, ...draft };
}

/** Scope, channel, whether it has recipients, type and body. */
function rowOf(draft: EventDraft) {
  const { scope, channel, users } = draft.audience;
  return [scope ? SCOPES[scope] : 0, channel ?? null, users?.length ? 1 : 0, draft.event.type, bodyOf(draft)];
}

export const events: Queries<EventStore> = {
  /** The newest event is never trimmed, so the tail outlives what it counted. */
  tail: count('SELECT COALESCE(MAX(seq), 0) AS seq FROM events'),
  trimmedTo: count('SELECT trimmed_to FROM event_log'),
  extent: after(
    row<{ tail: number; lost_after: number; lost_to: number }>(`
      SELECT (SELECT COALESCE(MAX(seq), 0) FROM events) AS tail, lost_after, lost_to FROM event_log WHERE id = 1`),
    (log) => ({ tail: log?.tail ?? 0, lostAfter: log?.lost_after ?? 0, lostTo: log?.lost_to ?? 0 }),
  ),
  since: after(
    rows<EventRow & { created_ms: number }>(
      'SELECT seq, scope, channel_id, body, created_ms FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
    ),
    (found) => found.map((row) => ({ ...toEvent(row), created_ms: row.created_ms, size: row.body.length })),
  ),
  ofType: after(
    rows<EventRow>('SELECT seq, scope, channel_id, body FROM events WHERE type = ? AND seq > ? ORDER BY seq'),
    (found) => found.map(toEvent),
  ),
  oldest: row<{ seq: number; created_ms: number }>(
    'SELECT seq, created_ms FROM events WHERE seq < (SELECT MAX(n.seq) FROM events n) ORDER BY seq LIMIT 1',
  ),

  async append(connection, drafts, nowMs) {
    if (drafts.length === 0) return;
    const { concurrency, insertEach } = connection;
    if (concurrency?.appendEvents) return concurrency.appendEvents(drafts, nowMs);
    // Not awaited here: the events of a group must be sent before its commit.
    const held = concurrency?.serializeAppends();
    if (held) await held;
    const rows = drafts.map(rowOf);
    if (!insertEach) {
      await connection.run(INSERT_WITH_RECIPIENTS, [nowMs, JSON.stringify(rows)]);
      return;
    }
    const seqs = insertEach(
      INSERT_ONE,
      rows.map((row) => [nowMs, ...row]),
    );
    const recipients = drafts.flatMap(({ audience }, at) =>
      [...new Set(audience.users)].map((user) => [user, seqs[at]]),
    );
    if (recipients.length > 0) await connection.run(INSERT_RECIPIENTS, [JSON.stringify(recipients)]);
  },

  async forUser(
    connection,
    user,
    afterSeq,
    limit,
    { publicFeed = 'none', types = null, toSeq = Number.MAX_SAFE_INTEGER } = {},
  ) {
    const events: LoggedEvent[] = [];
    const ofTypes = types === null ? [1, '[]'] : [0, JSON.stringify(types)];
    // No channel has the ID 0.
    const publicChannel = publicFeed === 'none' ? 0 : publicFeed === 'all' ? -1 : publicFeed;
    let from = afterSeq;
    let size = 0;
    for (;;) {
      const wanted = Math.min(limit - events.length, EVENTS_PER_READ);
      const range = [user.id, user.role, from, toSeq];
      const rows = await forUser(connection, ...range, ...ofTypes, publicChannel, wanted);
      for (const row of rows) {
        const event = toEvent(row);
        if (!event.audience.except?.includes(user.id)) events.push(event);
        from = event.seq;
        size += row.body.length;
      }
      if (rows.length < wanted) return { events, more: false };
      if (events.length >= limit || (size >= MAX_SIZE && events.length > 0)) return { events, more: true };
    }
  },

  async eraseTexts(connection, messageIds, afterSeq, limit) {
    const found = await withTexts(connection, afterSeq, limit);
    const ids = new Set(messageIds);
    for (const { seq, body } of found) {
      const erased = withoutText(body, ids);
      if (erased !== undefined) await rewrite(connection, erased, seq);
    }
    return found.length < limit ? undefined : found.at(-1)?.seq;
  },

  async erasePerson(connection, person, options, afterSeq, limit) {
    const found = await bodies(connection, afterSeq, limit);
    for (const { seq, scope, channel_id, body } of found) {
      const erased = withoutPerson({ scope, channel_id, body }, person, options);
      if (erased !== body) await rewrite(connection, erased, seq);
    }
    return found.length < limit ? undefined : found.at(-1)?.seq;
  },

  async trim(connection, beforeSeq, olderThanMs, limit) {
    const trimmed = await connection.column(TRIM, [beforeSeq, limit, olderThanMs]);
    if (trimmed.length === 0) return 0;
    await connection.run(TRIM_RECIPIENTS, [JSON.stringify(trimmed)]);
    const last = Math.max(...trimmed);
    await connection.run(NOTE_TRIMMED, [last, last]);
    return trimmed.length;
  },
};

const QUEUE = record<EventQueue>({
  id: 'text',
  user_id: 'integer',
  client: 'text',
  event_types: 'json',
  narrow: 'json',
  all_public_streams: 'boolean',
  rooms: 'json',
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

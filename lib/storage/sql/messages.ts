import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import { FOLLOWED } from '../../rules/topics.ts';
import type {
  CreatedMessage,
  ExpiredMessage,
  MessageStore,
  PlacedMessage,
  Reaction,
  ReactionStore,
  RetentionStore,
  Submessage,
  SubmessageStore,
  SubmessageSummary,
} from '../interface/messages.ts';
import { inOrder } from './connection.ts';
import { fetchMeasured, lookUp } from './message-search.ts';
import { carryOver } from './moved-readers.ts';
import { raising } from './organization.ts';
import { NO_END, RECEIVED } from './read-rule.ts';
import { record } from './record.ts';
import { after, changed, count, ids, type Queries, row, rows, run, value } from './store.ts';
import { addWords, foldedContent, putWords, removeWords, withWords, wordsText } from './word-index.ts';

const MESSAGE = record<PlacedMessage>({
  id: 'integer',
  conversation_id: 'integer',
  sender_id: 'integer',
  content: 'text',
  rendered_content: 'text',
  timestamp: 'integer',
  client: 'text',
  is_me_message: 'boolean',
  read_by_sender: 'boolean',
  last_edit_timestamp: 'integer',
  last_moved_timestamp: 'integer',
  channel_id: 'integer',
  topic: 'text',
});
const NEW_MESSAGE = MESSAGE.without('id', 'last_edit_timestamp', 'last_moved_timestamp', 'channel_id', 'topic');

const CREATED = record<CreatedMessage>({ id: 'integer', is_followed: 'boolean' });
// A part of the insert, because a query for each message would cost more than the lookup.
const INSERT = `
  INSERT INTO messages (${NEW_MESSAGE.columns}, folded_content) VALUES (${NEW_MESSAGE.places}, ?)
  RETURNING id, CASE WHEN ? = 0 THEN false ELSE EXISTS (
    SELECT 1 FROM conversations c JOIN user_topics t ON t.channel_id = c.channel_id AND t.topic_key = c.topic_key
    WHERE c.id = messages.conversation_id AND t.visibility_policy = ${FOLLOWED} AND t.user_id <> messages.sender_id
  ) END AS is_followed`;
const INSERT_WITH_WORDS = `${withWords(INSERT)}, (SELECT is_followed FROM added) AS is_followed`;
const ROW = NEW_MESSAGE.with<{ folded_content: string | null }>({ folded_content: 'text' });
const INSERT_MANY = `${ROW.insertMany('messages')} RETURNING id`;
const PLACED = {
  channel_id: 'c.channel_id',
  topic: 'c.topic',
  last_moved_timestamp: `CASE WHEN m.id <= c.moved_up_to AND c.moved_timestamp > COALESCE(m.last_moved_timestamp, 0)
    THEN c.moved_timestamp ELSE m.last_moved_timestamp END`,
};
const SELECT = `
  SELECT ${MESSAGE.of('m', PLACED)} FROM messages m LOOK_UP(conversations c, m.conversation_id)`;
/** Estimated size of a reaction in a response, including names. */
const REACTION_BYTES = 200;
/** The same of a submessage, besides its content. */
const SUBMESSAGE_BYTES = 100;
const SIZE = `OCTET_LENGTH(m.content) + OCTET_LENGTH(m.rendered_content)
    + ${REACTION_BYTES} * (SELECT COUNT(*) FROM reactions r WHERE r.message_id = m.id)
    + (SELECT COALESCE(SUM(OCTET_LENGTH(s.content) + ${SUBMESSAGE_BYTES}), 0) FROM submessages s WHERE s.message_id = m.id)`;

const PERIODS = `
  SELECT user_id, after_message_id AS after, COALESCE(to_message_id, ${NO_END}) AS up_to FROM subscription_periods
  WHERE user_id IN_IDS(?) AND channel_id = ? AND (to_message_id IS NULL OR to_message_id >= ?)
    AND after_message_id < ? ORDER BY user_id, after_message_id`;
/** Tables with rows of a message. */
const ATTACHED = ['message_flags', 'reactions', 'submessages', 'edits'] as const;
const countAttached = count(`
  SELECT COUNT(*) AS count FROM (
    SELECT 1 AS one FROM (
      ${ATTACHED.map((table) => `SELECT message_id FROM ${table} WHERE message_id IN_IDS(?1)`).join(' UNION ALL ')}
    ) AS attached LIMIT ?2) AS counted`);
/** A topic without messages loses its name, so that a new topic can use another spelling. Edits still refer to it. */
const freeNames = raising(
  'channels',
  changed(`
  UPDATE conversations SET topic_key = NULL
  WHERE id IN_IDS(?) AND topic_key IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM messages m WHERE m.conversation_id = conversations.id)`),
);
const edit = run(`
  UPDATE messages SET content = ?, folded_content = ?, rendered_content = ?, is_me_message = ?,
    last_edit_timestamp = ? WHERE id = ?`);
const setRendered = run('UPDATE messages SET rendered_content = ? WHERE id = ?');
const moveTo = run('UPDATE messages SET conversation_id = ?, last_moved_timestamp = ? WHERE id IN_IDS(?)');
const conversationsOf = ids('SELECT DISTINCT conversation_id AS id FROM messages WHERE id IN_IDS(?)');
const removeAttached = ATTACHED.map((table) => run(`DELETE FROM ${table} WHERE message_id IN_IDS(?)`));
const remove = run('DELETE FROM messages WHERE id IN_IDS(?)');

/** Received messages of a channel: after one message and up to another. */
interface Period {
  after: number;
  up_to: number;
}

/** IDs outside of all periods. Both lists are ascending. */
function outside(periods: readonly Period[], ids: readonly number[]): number[] {
  let at = 0;
  return ids.filter((id) => {
    while (at < periods.length && present(periods[at]).up_to < id) at++;
    return !(at < periods.length && present(periods[at]).after < id);
  });
}
const formerReceivers = ids(`
  SELECT DISTINCT p.user_id FROM subscription_periods p
  JOIN subscriptions s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
  JOIN users u ON u.id = p.user_id
  WHERE p.channel_id = ? AND p.to_message_id >= ? AND p.after_message_id < ? AND s.active = 0 AND u.is_active = 1
  ORDER BY p.user_id`);

export const messages: Queries<MessageStore> = {
  byId: MESSAGE.one(`${SELECT} WHERE m.id = ?`),
  byIds: MESSAGE.many(`${SELECT} WHERE m.id IN_IDS(?) ORDER BY m.id`),
  maxId: count('SELECT COALESCE(MAX(id), 0) AS id FROM messages'),
  sizes: after(
    rows<{ id: number; size: number }>(`SELECT m.id, ${SIZE} AS size FROM messages m WHERE m.id IN_IDS(?)`),
    (found) => new Map(found.map(({ id, size }) => [id, size])),
  ),
  lookUp,
  countAttached,
  received: ids(
    `SELECT m.id FROM messages m WHERE m.id IN_IDS(?2) AND ${RECEIVED.replaceAll('?', '?1')} ORDER BY m.id`,
  ),
  countSince: after(
    row<{ total: number; recent: number; first_recent_id: number | null }>(`
      SELECT COUNT(*) AS total, COUNT(CASE WHEN timestamp >= CAST(?2 AS BIGINT) THEN 1 END) AS recent,
        MIN(CASE WHEN timestamp >= CAST(?2 AS BIGINT) THEN id END) AS first_recent_id
      FROM messages WHERE conversation_id = ?1`),
    (found) => ({ total: 0, recent: 0, first_recent_id: null, ...found }),
  ),

  async create(connection, message, { looksForFollowers = false } = {}) {
    // Before the ID is assigned: a read range up to a newer message must not cover one that is not visible yet.
    await connection.concurrency?.serializeAppends();
    const values = [...NEW_MESSAGE.values(message), foldedContent(message.content), looksForFollowers ? 1 : 0];
    if (connection.dialect.name === 'postgres') {
      return present(await connection.one(CREATED, INSERT_WITH_WORDS, [...values, wordsText(message.content)]));
    }
    const created = present(await connection.one(CREATED, INSERT, values));
    await addWords(connection, created.id, message.content);
    return created;
  },

  async createMany(connection, messages) {
    if (messages.length === 0) return [];
    await connection.concurrency?.serializeAppends();
    const values = messages.map((message) => [...NEW_MESSAGE.values(message), foldedContent(message.content)]);
    const ids = inOrder(await connection.column(INSERT_MANY, [JSON.stringify(values)]));
    await putWords(
      connection,
      'message_words',
      ids.map((id, at) => [id, present(messages[at]).content]),
    );
    return ids;
  },

  async maxReceivedId(connection, userId) {
    const newest = await messages.fetchIds(connection, { viewer: userId }, Number.MAX_SAFE_INTEGER, 'before', 1);
    return newest[0] ?? 0;
  },

  async fetchIds(connection, query, from, direction, limit) {
    return limit <= 0 ? [] : (await fetchMeasured(connection, query, { from, direction, limit })).ids;
  },

  async fetchMeasured(connection, query, from, direction, limit) {
    return limit <= 0 ? { ids: [], bytes: 0 } : fetchMeasured(connection, query, { from, direction, limit }, SIZE);
  },

  async notReceived(connection, userIds, ids, channelId) {
    const [first, last] = [ids[0], ids.at(-1)];
    if (userIds.length === 0 || first === undefined || last === undefined) return new Map();
    const rows = await connection.all<Period & { user_id: number }>(PERIODS, [
      JSON.stringify(userIds),
      channelId,
      first,
      last,
    ]);
    const periods = groupBy(rows, ({ user_id }) => user_id);
    // Most users have the same periods, so they share one list.
    const lists = new Map<string, readonly number[]>();
    const missing = new Map<number, readonly number[]>();
    for (const userId of [...userIds].sort((a, b) => a - b)) {
      const theirs = periods.get(userId) ?? [];
      const key = theirs.map(({ after, up_to }) => `${Math.max(after, first - 1)}-${Math.min(up_to, last)}`).join();
      const list = lists.get(key) ?? outside(theirs, ids);
      lists.set(key, list);
      if (list.length > 0) missing.set(userId, list);
    }
    return missing;
  },
  formerReceivers: (connection, channelId, { from_id, to_id }) =>
    formerReceivers(connection, channelId, from_id, to_id),

  async edit(connection, id, changes) {
    const { content, rendered_content, is_me_message, timestamp } = changes;
    await Promise.all([
      edit(connection, content, foldedContent(content), rendered_content, is_me_message ? 1 : 0, timestamp, id),
      putWords(connection, 'message_words', [[id, content]]),
    ]);
  },

  setRendered: (connection, id, html) => setRendered(connection, html, id),

  async move(connection, ids, from, to, timestamp) {
    if (ids.length === 0) return true;
    if (!(await carryOver(connection, ids, from, to))) return false;
    await moveTo(connection, to.id, timestamp, ids);
    await freeNames(connection, [from.id]);
    return true;
  },

  async remove(connection, ids) {
    if (ids.length === 0) return;
    const conversations = await conversationsOf(connection, ids);
    for (const removeFrom of removeAttached) await removeFrom(connection, ids);
    await removeWords(connection, ids);
    await remove(connection, ids);
    await freeNames(connection, conversations);
  },
};

const REACTION = record<Reaction>({
  message_id: 'integer',
  user_id: 'integer',
  reaction_type: 'text',
  emoji_code: 'text',
  emoji_name: 'text',
});
const REACTION_KEY = REACTION.without('emoji_name');

export const reactions: Queries<ReactionStore> = {
  of: REACTION.many(`SELECT ${REACTION.columns} FROM reactions WHERE message_id IN_IDS(?) ORDER BY id`),
  add: after(
    REACTION.write(`
      INSERT INTO reactions (${REACTION.columns}) VALUES (${REACTION.places}) ON CONFLICT (${REACTION_KEY.columns}) DO NOTHING`),
    (added) => (added > 0 ? ('added' as const) : ('exists' as const)),
  ),
  remove: after(
    REACTION_KEY.write(
      'DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?',
    ),
    (removed) => removed > 0,
  ),
};

const SUBMESSAGE = record<Submessage>({
  id: 'integer',
  message_id: 'integer',
  sender_id: 'integer',
  msg_type: 'text',
  content: 'text',
});

const summary = row<SubmessageSummary>(`
  SELECT COALESCE(SUM(LENGTH(content) + 100), 0) AS "all",
    COALESCE(SUM(CASE WHEN sender_id = ?2 THEN LENGTH(content) + 100 END), 0) AS own,
    (SELECT w.content FROM submessages w WHERE w.message_id = ?1 AND w.msg_type = 'widget' ORDER BY w.id LIMIT 1) AS widget,
    (SELECT 1 FROM submessages f JOIN messages m ON m.id = f.message_id AND m.sender_id = f.sender_id
      WHERE f.message_id = ?1 LIMIT 1) AS started
  FROM submessages WHERE message_id = ?1`);

export const submessages: Queries<SubmessageStore> = {
  summary: after(summary, present),
  add: SUBMESSAGE.without('id').insert('submessages'),
  of: SUBMESSAGE.many(`SELECT ${SUBMESSAGE.columns} FROM submessages WHERE message_id IN_IDS(?) ORDER BY id`),
};

const EXPIRED_MESSAGE = record<ExpiredMessage>({ id: 'integer', conversation_id: 'integer', channel_id: 'integer' });

const SET_DUE = 'UPDATE message_retention SET due_ms = ?';
const MOVE_DUE = 'UPDATE message_retention SET due_ms = ? WHERE due_ms = ?';
const NEXT = 'SELECT id, timestamp FROM messages WHERE id >= ? ORDER BY id LIMIT 1';
// Conversations in the order of their ids, and in each only the messages below the bound: what is kept costs
// a look at each conversation. Topics without a name have no messages.
const expired = EXPIRED_MESSAGE.many(`
  SELECT m.id, m.conversation_id, c.channel_id
  FROM conversations c LEFT JOIN channels h ON h.id = c.channel_id CROSS JOIN messages m
  WHERE c.id >= ? AND (c.topic_key IS NOT NULL OR c.direct_key IS NOT NULL)
    AND COALESCE(h.message_retention_days, CAST(? AS BIGINT)) = ?
    AND m.conversation_id = c.id AND m.id < ? AND m.timestamp < ?
  ORDER BY c.id, m.id LIMIT ?`);

export const retention: Queries<RetentionStore> = {
  due: value('SELECT due_ms FROM message_retention'),
  channelDays: ids(`
    SELECT DISTINCT message_retention_days AS days FROM channels WHERE message_retention_days > 0 ORDER BY days`),

  async setDue(connection, ms) {
    await connection.run(SET_DUE, [ms ?? null]);
    connection.concurrency?.announceDueWork();
  },
  moveDue: async (connection, from, to) => (await connection.run(MOVE_DUE, [to ?? null, from])) > 0,

  async firstSince(connection, timestamp) {
    let low = 0;
    let high = ((await connection.value('SELECT MAX(id) FROM messages')) ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await connection.get<{ id: number; timestamp: number }>(NEXT, [middle]);
      if (found && found.timestamp < timestamp) low = found.id + 1;
      else high = middle;
    }
    return low;
  },
  expired: (connection, { days, organizationDays }, { id, timestamp }, { fromConversation, limit }) =>
    expired(connection, fromConversation, organizationDays, days, id, timestamp, limit),
};

import { present } from '../../base/present.ts';
import { alertWordKey, alertWordOpening } from '../../rules/alert-words.ts';
import { foldTopic } from '../../rules/fold.ts';
import { FOLLOWED, MUTED } from '../../rules/topics.ts';
import type {
  AlertWordStore,
  Block,
  BotStorageSize,
  BotStorageStore,
  Draft,
  DraftStore,
  MutedUser,
  MutedUserStore,
  NavigationView,
  NavigationViewStore,
  SavedSnippet,
  SavedSnippetStore,
  SizedBotStorageEntry,
  TopicName,
  TopicStanding,
  UserTopic,
  UserTopicStore,
} from '../interface/personal.ts';
import type { Connection } from './connection.ts';
import { raising } from './organization.ts';
import { FLAG_BITS, newestCovered } from './read-rule.ts';
import { record } from './record.ts';
import { after, changed, changes, column, count, ids, keyed, locking, type Queries, rows, run, size } from './store.ts';

const DRAFT = record<Draft>({
  id: 'integer',
  type: 'text',
  to: { column: 'recipients', read: (value) => JSON.parse(String(value)) },
  topic: 'text',
  content: 'text',
  timestamp: 'integer',
});
const NEW_DRAFT = DRAFT.without('id');
const OWN_DRAFT = NEW_DRAFT.with<{ user_id: number }>({ user_id: 'integer' });
const insertDrafts = ids(`${OWN_DRAFT.insertMany('drafts')} RETURNING id`);

export const drafts: Queries<DraftStore> = {
  of: DRAFT.many(`SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? ORDER BY timestamp DESC, id DESC`),
  get: DRAFT.one(`SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? AND id = ?`),
  size: locking(size('LENGTH(content) + LENGTH(recipients)', 'drafts WHERE user_id = ?')),
  remove: changes('DELETE FROM drafts WHERE user_id = ? AND id = ?'),
  removeAll: run('DELETE FROM drafts WHERE user_id = ?'),
  add: (connection, user_id, drafts) =>
    insertDrafts(
      connection,
      drafts.map((draft) => OWN_DRAFT.values({ ...draft, user_id })),
    ),

  async update(connection, userId, draft) {
    const { text, params } = NEW_DRAFT.assignments(draft);
    const statement = `UPDATE drafts SET ${text} WHERE user_id = ? AND id = ?`;
    return (await connection.run(statement, [...params, userId, draft.id])) > 0;
  },
};

const SNIPPET = record<SavedSnippet>({ id: 'integer', title: 'text', content: 'text', date_created: 'integer' });
const NEW_SNIPPET = SNIPPET.without('id');
const INSERT_SNIPPET = `
  INSERT INTO saved_snippets (${NEW_SNIPPET.columns}, user_id) VALUES (${NEW_SNIPPET.places}, ?) RETURNING id`;

export const savedSnippets: Queries<SavedSnippetStore> = {
  of: SNIPPET.many(`SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`),
  get: SNIPPET.one(`SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? AND id = ?`),
  size: locking(size('LENGTH(content)', 'saved_snippets WHERE user_id = ?')),
  remove: changes('DELETE FROM saved_snippets WHERE user_id = ? AND id = ?'),
  add: async (connection, userId, snippet) =>
    connection.insert(INSERT_SNIPPET, [...NEW_SNIPPET.values(snippet), userId]),

  async update(connection, userId, id, patch) {
    const { text, params } = NEW_SNIPPET.assignments(patch);
    if (text === '') return savedSnippets.get(connection, userId, id);
    const statement = `UPDATE saved_snippets SET ${text} WHERE user_id = ? AND id = ? RETURNING ${SNIPPET.columns}`;
    return connection.one(SNIPPET, statement, [...params, userId, id]);
  },
};

const VIEW = record<NavigationView>({ fragment: 'text', is_pinned: 'boolean', name: 'text' });
const VIEWS_OF_USER = `SELECT ${VIEW.columns} FROM navigation_views WHERE user_id = ?`;
const SET_VIEW = `
  INSERT INTO navigation_views (${VIEW.columns}, user_id) VALUES (${VIEW.places}, ?)
  ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = excluded.is_pinned, name = excluded.name`;

export const navigationViews: Queries<NavigationViewStore> = {
  remove: changes('DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?'),

  async of(connection, userId, { toChange } = { toChange: false }) {
    if (toChange) await connection.concurrency?.serializeReader(userId);
    const views = await connection.many(VIEW, VIEWS_OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return views.sort((a, b) => (a.fragment < b.fragment ? -1 : 1));
  },

  async set(connection, userId, view) {
    await connection.run(SET_VIEW, [...VIEW.values(view), userId]);
  },
};

const MUTED_USER = record<Required<MutedUser>>({
  id: { column: 'muted_user_id' },
  timestamp: 'integer',
  is_blocked: 'boolean',
});

const MUTE = `
  INSERT INTO muted_users (user_id, ${MUTED_USER.columns}) VALUES (?, ${MUTED_USER.places})
  ON CONFLICT (user_id, muted_user_id) DO UPDATE SET
    timestamp = excluded.timestamp, until_message_id = NULL, is_blocked = excluded.is_blocked
  WHERE muted_users.until_message_id IS NOT NULL OR muted_users.is_blocked < excluded.is_blocked`;
const END_MUTE =
  'UPDATE muted_users SET until_message_id = (SELECT COALESCE(MAX(id), 0) FROM messages), is_blocked = 0';
const BLOCKS = 'user_id IN_IDS(?1) AND muted_user_id IN_IDS(?2) AND is_blocked = 1 AND until_message_id IS NULL';

export const mutedUsers: Queries<MutedUserStore> = {
  of: MUTED_USER.many(`
    SELECT ${MUTED_USER.columns} FROM muted_users WHERE user_id = ? AND until_message_id IS NULL ORDER BY muted_user_id`),
  mutersOf: ids(`
    SELECT user_id AS id FROM muted_users WHERE muted_user_id = ? AND until_message_id IS NULL ORDER BY user_id`),
  blocksAmong: rows<Block>(`SELECT user_id, muted_user_id AS blocked_id FROM muted_users WHERE ${BLOCKS}`),
  blocksOf: rows<Block>(`
    SELECT user_id, muted_user_id AS blocked_id FROM muted_users
    WHERE muted_user_id IN_IDS(?1) AND is_blocked = 1 AND until_message_id IS NULL
    UNION ALL
    SELECT m.user_id, m.muted_user_id FROM users b CROSS JOIN muted_users m
    WHERE b.bot_owner_id IN_IDS(?1) AND m.muted_user_id = b.id AND m.is_blocked = 1 AND m.until_message_id IS NULL`),
  mutedUntil: count('SELECT until_message_id AS id FROM muted_users WHERE user_id = ? AND muted_user_id = ?'),
  add: raising(
    'readers',
    async (connection: Connection, userId: number, muted: MutedUser) =>
      (await connection.run(MUTE, [userId, ...MUTED_USER.values({ is_blocked: false, ...muted })])) > 0,
  ),
  remove: raising(
    'readers',
    changes(`${END_MUTE} WHERE user_id = ? AND muted_user_id = ? AND until_message_id IS NULL`),
  ),
  endBlocks: raising('readers', ids(`${END_MUTE} WHERE ${BLOCKS} RETURNING user_id`)),
};

const ALERT_WORD = record<{ user_id: number; word_key: string; word: string; opening: string }>({
  user_id: 'integer',
  word_key: 'text',
  word: 'text',
  opening: 'text',
});
const addWords = raising(
  'readers',
  changed(`${ALERT_WORD.insertMany('alert_words')} ON CONFLICT (user_id, word_key) DO NOTHING`),
);
const removeWords = raising('readers', changed('DELETE FROM alert_words WHERE user_id = ? AND word_key IN_TEXTS(?)'));

export const alertWords: Queries<AlertWordStore> = {
  of: after(column<string>('SELECT word FROM alert_words WHERE user_id = ? ORDER BY word_key'), (words) =>
    // Engines differ in what they call alphabetical.
    words.sort((a, b) => (alertWordKey(a) < alertWordKey(b) ? -1 : 1)),
  ),
  openingWith: after(
    rows<{ word: string; ids: string }>(`
      SELECT x.word_key AS word, ID_LIST(x.user_id) AS ids FROM alert_words x
      WHERE x.opening IN_TEXTS(?) GROUP BY x.word_key`),
    (found) =>
      found.map(({ word, ids }): { word: string; user_ids: number[] } => ({ word, user_ids: JSON.parse(ids) })),
  ),

  async add(connection, userId, words) {
    const rows = words.map((word) => {
      const word_key = alertWordKey(word);
      return ALERT_WORD.values({ user_id: userId, word_key, word, opening: alertWordOpening(word_key) });
    });
    await addWords(connection, rows);
  },

  async remove(connection, userId, words) {
    await removeWords(connection, userId, words.map(alertWordKey));
  },
};

const USER_TOPIC = record<UserTopic>({
  user_id: 'integer',
  channel_id: 'integer',
  topic: 'text',
  visibility_policy: 'integer',
  last_updated: 'integer',
});

const STANDING = record<TopicStanding>({
  visibility_policy: 'integer',
  is_channel_muted: 'boolean',
  has_messages: 'boolean',
});

const standing = (hasMessages: string) =>
  STANDING.one(`
  SELECT
    COALESCE((SELECT t.visibility_policy FROM user_topics t
      WHERE t.user_id = ?1 AND t.channel_id = ?2 AND t.topic_key = ?3), 0) AS visibility_policy,
    EXISTS (SELECT 1 FROM subscriptions s
      WHERE s.user_id = ?1 AND s.channel_id = ?2 AND s.active = 1 AND s.is_muted = 1) AS is_channel_muted,
    ${hasMessages} AS has_messages`);
const standingAmongAll = standing('EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = ?4)');
const standingAmongReceived = standing(`EXISTS (
  SELECT 1 FROM subscription_periods p
  WHERE p.user_id = ?1 AND p.channel_id = ?2 AND ${newestCovered('p', 'CAST(?4 AS BIGINT)')} IS NOT NULL)`);

const KEPT = `DO UPDATE SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
  last_updated = excluded.last_updated`;
const USER_TOPIC_COLUMNS = '(user_id, channel_id, topic_key, topic, visibility_policy, last_updated)';
const VALUES = `g.id, CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)`;
// Each account is looked up separately. Without statistics, PostgreSQL expects a single account to match the
// conditions. With a join, it would compare each account with the whole list.
const each = (isWanted: string) => `
  INSERT INTO user_topics ${USER_TOPIC_COLUMNS} SELECT ${VALUES} FROM IDS(?) AS g
  WHERE (SELECT ${isWanted} FROM users u WHERE u.id = g.id) ORDER BY g.id`;
const setPolicies = run(`${each('true')}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}`);
// The setting is on by default, and only settings that differ from their default are stored.
const follow = ids(`${each(`u.is_active = 1 AND u.bot_type IS NULL AND u.is_system_bot = 0
    AND u.settings NOT LIKE '%"automatically_follow_topics_where_mentioned":false%'
    AND EXISTS (SELECT 1 FROM message_flags f
      WHERE f.message_id = ? AND f.user_id = u.id AND (f.bits & ${FLAG_BITS.mentioned}) <> 0)`)}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}
  WHERE user_topics.visibility_policy NOT IN (${MUTED}, ${FOLLOWED})
  RETURNING user_id`);
const resolvePolicy = (value: string) => `FIND(u.settings, '"resolved_topic_notice_auto_read_policy":"${value}"') > 0`;
const wantingResolveNotices = ids(`
  SELECT s.user_id FROM subscriptions s JOIN users u ON u.id = s.user_id
  WHERE s.channel_id = ?1 AND s.active = 1 AND u.is_active = 1 AND u.bot_type IS NULL AND (${resolvePolicy('never')}
    OR NOT ${resolvePolicy('always')} AND EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = s.user_id
      AND t.channel_id = ?1 AND t.topic_key = ?2 AND t.visibility_policy = ${FOLLOWED}))`);
const move = run(`
  UPDATE user_topics SET channel_id = ?4, topic_key = ?5, topic = ?6, last_updated = ?7
  WHERE user_id IN_FEW(?1) AND channel_id = ?2 AND topic_key = ?3`);
const removePolicies = run('DELETE FROM user_topics WHERE user_id IN_FEW(?) AND channel_id = ? AND topic_key = ?');

const SELECT_USER_TOPICS = `SELECT ${USER_TOPIC.of('t')} FROM user_topics t`;
const ofOne = USER_TOPIC.one(`${SELECT_USER_TOPICS} WHERE t.user_id = ? AND t.channel_id = ? AND t.topic_key = ?`);
const ofTopic = USER_TOPIC.many(
  `${SELECT_USER_TOPICS} WHERE t.channel_id = ? AND t.topic_key = ? AND t.user_id > ? ORDER BY t.user_id LIMIT ?`,
);

export const userTopics: Queries<UserTopicStore> = {
  ofUser: USER_TOPIC.many(`${SELECT_USER_TOPICS} WHERE t.user_id = ? ORDER BY t.channel_id, t.topic_key`),
  count: count('SELECT COUNT(*) AS count FROM user_topics WHERE user_id = ?'),
  inChannels: USER_TOPIC.many(`
    ${SELECT_USER_TOPICS} WHERE t.user_id IN_IDS(?2) AND t.channel_id IN_IDS(?1)
    ORDER BY t.user_id, t.topic_key, t.channel_id LIMIT ?3`),
  ofTopics: keyed(
    (names: readonly TopicName[]) => names.map(({ channel_id, topic }) => [channel_id, 0, foldTopic(topic)]),
    USER_TOPIC.many(`
      SELECT ${USER_TOPIC.of('t')} FROM PAIRS(?) AS p JOIN user_topics t ON t.channel_id = p.a AND t.topic_key = p.c
      ORDER BY t.user_id, t.channel_id, t.topic_key`),
  ),
  get: (connection, userId, { channel_id, topic }) => ofOne(connection, userId, channel_id, foldTopic(topic)),
  ofTopic: (connection, { channel_id, topic }, after, limit) =>
    ofTopic(connection, channel_id, foldTopic(topic), after, limit),

  wantingResolveNotices: (connection, { channel_id, topic }) =>
    wantingResolveNotices(connection, channel_id, foldTopic(topic)),
  async standing(connection, userId, conversation, { receivedOnly = false } = {}) {
    const { id, channel_id, topic } = conversation;
    const find = receivedOnly ? standingAmongReceived : standingAmongAll;
    return present(await find(connection, userId, channel_id, foldTopic(topic), id));
  },
  set: (connection, userIds, topic) => setPolicies(connection, ...values(topic), userIds),
  followWhereMentioned: (connection, messageId, userIds, topic) =>
    follow(connection, ...values({ ...topic, visibility_policy: FOLLOWED }), userIds, messageId),
  move: (connection, userIds, from, { channel_id, topic, last_updated }) =>
    move(
      connection,
      userIds,
      from.channel_id,
      foldTopic(from.topic),
      channel_id,
      foldTopic(topic),
      topic,
      last_updated,
    ),
  remove: (connection, userIds, { channel_id, topic }) =>
    removePolicies(connection, userIds, channel_id, foldTopic(topic)),
};

function values({ channel_id, topic, visibility_policy, last_updated }: Omit<UserTopic, 'user_id'>) {
  return [channel_id, foldTopic(topic), topic, visibility_policy, last_updated];
}

const OWN_ENTRY = record<SizedBotStorageEntry & { user_id: number }>({
  user_id: 'integer',
  key: 'text',
  value: 'text',
  bytes: 'integer',
});
const ENTRY = OWN_ENTRY.only('key', 'value');
const ENTRY_SIZE = OWN_ENTRY.only('key', 'bytes');
const SIZE = record<BotStorageSize>({ entries: 'integer', bytes: 'integer' });

const OF_USER = `SELECT ${ENTRY.columns} FROM bot_storage WHERE user_id = ?`;
const ofUser = ENTRY.many(OF_USER);
const withKeys = ENTRY.many(`${OF_USER} AND key IN_TEXTS(?)`);
const sizesOf = ENTRY_SIZE.many(`SELECT ${ENTRY_SIZE.columns} FROM bot_storage WHERE user_id = ? AND key IN_TEXTS(?)`);
const sizeOfAll = SIZE.one(`SELECT ${SIZE.columns} FROM bot_storage_sizes WHERE user_id = ?`);
const setEntries = run(`
  ${OWN_ENTRY.insertMany('bot_storage')}
  ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, bytes = excluded.bytes`);
const removeEntries = run('DELETE FROM bot_storage WHERE user_id = ? AND key IN_TEXTS(?)');
const SET_SIZE = `
  INSERT INTO bot_storage_sizes (${SIZE.columns}, user_id) VALUES (${SIZE.places}, ?)
  ON CONFLICT (user_id) DO UPDATE SET entries = excluded.entries, bytes = excluded.bytes`;

export const botStorage: Queries<BotStorageStore> = {
  async of(connection, userId, keys) {
    const entries = await (keys ? withKeys(connection, userId, keys) : ofUser(connection, userId));
    // Engines differ in what they call alphabetical.
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  },

  async sizes(connection, userId, keys) {
    await connection.concurrency?.serializeReader(userId);
    const all = await sizeOfAll(connection, userId);
    return { all: all ?? { entries: 0, bytes: 0 }, named: await sizesOf(connection, userId, keys) };
  },

  async set(connection, userId, entries, size) {
    const rows = entries.map((entry) => OWN_ENTRY.values({ user_id: userId, ...entry }));
    await setEntries(connection, rows);
    await connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  },

  async remove(connection, userId, keys, size) {
    await removeEntries(connection, userId, keys);
    await connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  },

  async removeAll(connection, userId) {
    await connection.concurrency?.serializeReader(userId);
    await connection.run('DELETE FROM bot_storage WHERE user_id = ?', [userId]);
    await connection.run('DELETE FROM bot_storage_sizes WHERE user_id = ?', [userId]);
  },
};

import { groupBy } from '../../base/lists.ts';
import type { Channel, ChannelFolder, ChannelHead } from '../../model/channels.ts';
import { fold } from '../../rules/fold.ts';
import type {
  ChannelStore,
  LeftName,
  Subscription,
  SubscriptionPeriod,
  SubscriptionStore,
  UserChannel,
} from '../interface/channels.ts';
import type { MessagesInChannel } from '../interface/read-state.ts';
import { inOrder, type RowShape, readIds } from './connection.ts';
import { leftUnread } from './left-unread.ts';
import { unmark } from './moved-readers.ts';
import { orderedList, raiseVersion } from './organization.ts';
import { record } from './record.ts';
import { after, exists, findable, ids, keyed, one, type Queries, row, rows } from './store.ts';

const CHANNEL = record<Channel>({
  id: 'integer',
  external_id: 'text',
  name: 'text',
  description: 'text',
  rendered_description: 'text',
  creator_id: 'integer',
  created_ms: 'integer',
  invite_only: 'boolean',
  history_public_to_subscribers: 'boolean',
  is_web_public: 'boolean',
  is_archived: 'boolean',
  is_default: 'boolean',
  topics_policy: 'text',
  message_retention_days: 'integer',
  folder_id: 'integer',
  settings: 'json',
  first_message_id: 'integer',
  last_active_day: 'integer',
  subscriber_count: 'integer',
});
const HEAD = CHANNEL.without('subscriber_count');
const CHANGEABLE = HEAD.without('id');
const RULES = CHANNEL.only('id', 'name', 'creator_id', 'invite_only', 'is_web_public', 'is_archived', 'settings');
const PERMISSIONS = RULES.without('name', 'creator_id', 'is_web_public');
const NEW_CHANNEL = CHANGEABLE.without('first_message_id', 'last_active_day');
const FOLDER = record<ChannelFolder>({
  id: 'integer',
  name: 'text',
  description: 'text',
  rendered_description: 'text',
  creator_id: 'integer',
  created_ms: 'integer',
  order: { column: 'position' },
  is_archived: 'boolean',
});

const SUBSCRIPTION = record<Subscription>({
  user_id: 'integer',
  channel_id: 'integer',
  active: 'boolean',
  color: 'text',
  is_muted: 'boolean',
  pin_to_top: 'boolean',
  desktop_notifications: 'boolean',
  audible_notifications: 'boolean',
  push_notifications: 'boolean',
  email_notifications: 'boolean',
  wildcard_mentions_notify: 'boolean',
  floor: 'integer',
});

const select = (condition: string) => `SELECT ${CHANNEL.columns} FROM channels c WHERE ${condition} ORDER BY c.id`;
// Not OR: with OR, not every engine would use the indexes.
const NAMING = `SELECT ${RULES.columns} FROM channels c WHERE c.id IN (
  SELECT id FROM channels WHERE creator_id IN_IDS(?) UNION SELECT id FROM channels WHERE settings <> '{}') ORDER BY c.id`;
const WEIGHT = `
  SELECT COUNT(*) AS channels, COALESCE(CAST(SUM(octet_length(name) + octet_length(description)
    + octet_length(rendered_description) + octet_length(settings)) AS BIGINT), 0) AS bytes
  FROM channels`;
const ROW = NEW_CHANNEL.with<{ name_key: string }>({ name_key: 'text' });
const INSERT = `
  ${ROW.insertMany('channels')} ON CONFLICT (name_key) DO NOTHING RETURNING ${CHANNEL.columns}`;
// A later message may have been recorded first, since IDs are assigned before the commit.
const RECORD_ACTIVITY = `
  UPDATE channels SET last_active_day = ?,
    first_message_id = CASE WHEN first_message_id < p.b THEN first_message_id ELSE p.b END
  FROM PAIRS(?) AS p WHERE channels.id = p.a RETURNING id, first_message_id`;
const FIND_FIRST = `
  UPDATE channels SET first_message_id = (
    SELECT MIN(first_id) FROM (
      SELECT (SELECT MIN(m.id) FROM messages m WHERE m.conversation_id = c.id) AS first_id
      FROM conversations c WHERE c.channel_id = ?) AS topics)
  WHERE id = ? RETURNING first_message_id`;
const updateFields = CHANGEABLE.update('channels');
const folders = orderedList('channel_folders', FOLDER.without('order'));

const headWithSubscription: RowShape<{ channel: ChannelHead; subscription: Subscription | undefined }> = {
  reader: (columns) => {
    const channel = HEAD.reader(columns);
    const subscription = SUBSCRIPTION.reader(columns);
    const subscriber = columns.indexOf('user_id');
    return (values) => ({
      channel: channel(values),
      subscription: values[subscriber] === null ? undefined : subscription(values),
    });
  },
};

export const channels: Queries<ChannelStore> = {
  byId: CHANNEL.one(select('c.id = ?')),
  byIds: CHANNEL.many(select('c.id IN_IDS(?)')),
  ofMessages: CHANNEL.many(
    select(`c.id IN (
      SELECT mc.channel_id FROM messages m JOIN conversations mc ON mc.id = m.conversation_id WHERE m.id IN_IDS(?))`),
  ),
  active: RULES.many(`SELECT ${RULES.columns} FROM channels WHERE is_archived = 0 ORDER BY id`),
  all: CHANNEL.many(select('true')),
  defaults: CHANNEL.many(select('c.is_default = 1')),
  withSubscription: one(
    headWithSubscription,
    `SELECT ${HEAD.of('c')}, ${SUBSCRIPTION.of('s')}
     FROM channels c LEFT JOIN subscriptions s ON s.user_id = ?2 AND s.channel_id = c.id
     WHERE c.id = ?1`,
  ),
  withSettings: PERMISSIONS.many(`SELECT ${PERMISSIONS.columns} FROM channels WHERE settings <> '{}' ORDER BY id`),
  hasAnyInFolder: exists('SELECT 1 AS found FROM channels WHERE folder_id = ? LIMIT 1'),
  byNames: keyed((names: readonly string[]) => names.map(fold), CHANNEL.many(select('c.name_key IN_TEXTS(?)'))),
  byExternalIds: keyed(findable, CHANNEL.many(select('c.external_id IN_TEXTS(?)'))),
  mirrored: CHANNEL.many(select('c.external_id IS NOT NULL')),
  folders: FOLDER.many(`SELECT ${FOLDER.columns} FROM channel_folders ORDER BY position, id`),
  naming: async (connection, userIds) => connection.many(RULES, NAMING, [JSON.stringify(userIds)]),
  weight: async (connection) =>
    (await connection.get<{ channels: number; bytes: number }>(WEIGHT)) ?? { channels: 0, bytes: 0 },

  async create(connection, channels) {
    if (channels.length === 0) return [];
    const rows = channels.map((channel) => ROW.values({ ...channel, name_key: fold(channel.name) }));
    const [, created] = await Promise.all([
      // First, as a lock: two writers that take each other's names would deadlock.
      raiseVersion(connection, 'channels'),
      connection.many(CHANNEL, INSERT, [JSON.stringify(rows)]),
    ]);
    return created.sort((a, b) => a.id - b.id);
  },

  async update(connection, id, patch) {
    if (patch.name === undefined) {
      await updateFields(connection, id, patch);
      if (NEW_CHANNEL.assignments(patch).text !== '') await raiseVersion(connection, 'channels');
      return true;
    }
    const { text, params } = CHANGEABLE.assignments(patch);
    const key = fold(patch.name);
    const changed = await connection.run(
      `UPDATE channels SET ${text}, name_key = ?
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.name_key = ? AND o.id <> ?)`,
      [...params, key, id, key, id],
      { once: true },
    );
    if (changed > 0) await raiseVersion(connection, 'channels');
    return changed > 0;
  },

  async recordActivity(connection, messages, day) {
    if (messages.length === 0) return [];
    const newest = new Map(messages.map(({ channel_id, message_id }) => [channel_id, message_id]));
    const params = [day, JSON.stringify([...newest])];
    const rows = await connection.all<{ id: number; first_message_id: number }>(RECORD_ACTIVITY, params);
    return rows.filter(({ id, first_message_id }) => newest.get(id) === first_message_id).map(({ id }) => id);
  },

  async findFirstMessage(connection, id) {
    const first = (await connection.value(FIND_FIRST, [id, id])) ?? null;
    // The cache of senders must not contain a first message any more.
    if (first === null) await raiseVersion(connection, 'channels');
    return first;
  },
  createFolder: folders.create,
  updateFolder: folders.update,
  reorderFolders: folders.reorder,
};

const selectSubscriptions = (condition: string) =>
  `SELECT ${SUBSCRIPTION.of('s')} FROM subscriptions s WHERE ${condition} ORDER BY s.user_id, s.channel_id`;
// One row per channel, since there may be a million subscribers in total.
const SUBSCRIBERS = `
  SELECT s.channel_id, ID_LIST(s.user_id) AS ids FROM subscriptions s JOIN users u ON u.id = s.user_id
  WHERE s.channel_id IN_IDS(?) AND s.active = 1 AND u.is_active = 1 GROUP BY s.channel_id`;
const SUBSCRIBERS_AMONG = SUBSCRIBERS.replace('GROUP BY', 'AND s.user_id IN_IDS(?) GROUP BY');
const ADD = `
  INSERT INTO subscriptions (user_id, channel_id, active, color, is_muted, pin_to_top, floor)
  SELECT p.a, p.b, 1, p.c, 0, 0, CAST(? AS BIGINT) FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, channel_id) DO UPDATE SET active = 1, floor = excluded.floor
  WHERE subscriptions.active = 0
  RETURNING ${SUBSCRIPTION.columns}`;
// After leaving and returning without events in between, the same period continues.
const BEGIN_PERIODS = `
  INSERT INTO subscription_periods (user_id, channel_id, after_message_id, after_seq)
  SELECT p.a, p.b, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, channel_id, after_seq) DO UPDATE SET to_message_id = NULL, to_seq = NULL`;
// The floor of a new subscription applies to all topics, so floorless ranges are deleted. They are few, so the search
// starts from them. Starting from the channels would read all topics.
const APPLY_FLOORS = `
  DELETE FROM read_ranges WHERE from_id < 0 AND user_id IN_IDS(?)
    AND ((user_id, (SELECT c.channel_id FROM conversations c WHERE c.id = read_ranges.conversation_id))
      IN (SELECT p.a, p.b FROM PAIRS(?) AS p)) IS TRUE`;
const dropFloorless = ids(`
  DELETE FROM read_ranges WHERE from_id < 0
    AND user_id IN (SELECT s.user_id FROM subscriptions s WHERE s.channel_id = ?1 AND s.active = 1)
    AND (SELECT c.channel_id FROM conversations c WHERE c.id = read_ranges.conversation_id) = ?1
  RETURNING user_id`);
const raiseFloors = rows<UserChannel>(`
  UPDATE subscriptions SET floor = (SELECT COALESCE(MAX(id), 0) FROM messages) WHERE channel_id = ? AND active = 1
  RETURNING user_id, channel_id`);
const REMOVE = `
  UPDATE subscriptions SET active = 0, left_name = (SELECT c.name FROM channels c WHERE c.id = subscriptions.channel_id)
  WHERE (user_id, channel_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p) AND active = 1
  RETURNING user_id, channel_id`;
const END_PERIODS = `
  UPDATE subscription_periods SET to_message_id = ?, to_seq = ?
  WHERE (user_id, channel_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p) AND to_seq IS NULL`;

// Takes 1 for started subscriptions and -1 for ended ones. Counts only active accounts.
const COUNT = `
  UPDATE channels SET subscriber_count = subscriber_count + changed.n * CAST(? AS BIGINT) FROM (
    SELECT p.b AS id, COUNT(*) AS n FROM PAIRS(?) AS p JOIN users u ON u.id = p.a
    WHERE u.is_active = 1 GROUP BY p.b) AS changed
  WHERE channels.id = changed.id`;

const present = row<{ message_id: number; seq: number }>(`
  SELECT (SELECT COALESCE(MAX(id), 0) FROM messages) AS message_id,
    (SELECT COALESCE(MAX(seq), 0) FROM events) AS seq`);
const allOfUser = SUBSCRIPTION.many(selectSubscriptions('s.user_id = ?'));
const ofUser = SUBSCRIPTION.many(selectSubscriptions('s.user_id = ? AND s.active = 1'));
const subscribersUpTo = ids(`
  SELECT s.user_id FROM subscriptions s JOIN users u ON u.id = s.user_id
  WHERE s.channel_id = ? AND s.active = 1 AND u.is_active = 1 ORDER BY s.user_id LIMIT ?`);

/** Properties that caches contain. */
const REMEMBERED: ReadonlySet<string> = new Set(['is_muted', 'email_notifications', 'push_notifications']);

export const subscriptions: Queries<SubscriptionStore> = {
  get: SUBSCRIPTION.one(selectSubscriptions('s.user_id = ? AND s.channel_id = ?')),
  pairs: SUBSCRIPTION.many(selectSubscriptions('s.user_id IN_IDS(?) AND s.channel_id IN_IDS(?)')),
  formerOf: ids('SELECT channel_id FROM subscriptions WHERE user_id = ? AND active = 0 ORDER BY channel_id'),
  namesLeft: rows<LeftName>(`
    SELECT channel_id, left_name AS name FROM subscriptions
    WHERE user_id = ? AND active = 0 AND left_name IS NOT NULL ORDER BY channel_id`),
  formerOfChannels: rows<UserChannel>(`
    SELECT s.user_id, s.channel_id FROM subscriptions s JOIN users u ON u.id = s.user_id
    WHERE s.channel_id IN_IDS(?) AND s.active = 0 AND u.is_active = 1 ORDER BY s.channel_id, s.user_id`),
  byChannel: after(
    rows<UserChannel>(`
      SELECT s.user_id, s.channel_id FROM subscriptions s
      WHERE s.user_id IN_IDS(?) AND s.active = 1 ORDER BY s.user_id, s.channel_id`),
    (pairs) => {
      const byChannel = groupBy(pairs, ({ channel_id }) => channel_id);
      return new Map([...byChannel].map(([id, own]) => [id, own.map(({ user_id }) => user_id)]));
    },
  ),
  allSubscriberIds: ids('SELECT user_id FROM subscriptions WHERE channel_id = ? AND active = 1 ORDER BY user_id'),
  periodsBetween: rows<SubscriptionPeriod>(`
    SELECT p.user_id, p.channel_id, p.after_seq, p.to_seq FROM subscription_periods p
    WHERE p.user_id IN_IDS(?1) AND p.channel_id IN_IDS(?2)
      AND p.after_seq < ?4 AND (p.to_seq IS NULL OR p.to_seq > ?3)`),
  ofUser: async (connection, userId, { inactive = false } = {}) => (inactive ? allOfUser : ofUser)(connection, userId),

  async subscriberIds(connection, channelIds, among) {
    const subscribers = new Map<number, number[]>(channelIds.map((id) => [id, []]));
    if (channelIds.length === 0 || among?.length === 0) return subscribers;
    const lists = [channelIds, ...(among ? [among] : [])].map((ids) => JSON.stringify(ids));
    const text = among ? SUBSCRIBERS_AMONG : SUBSCRIBERS;
    const rows = await connection.all<{ channel_id: number; ids: string }>(text, lists);
    for (const row of rows) subscribers.set(row.channel_id, inOrder(readIds(row.ids)));
    return subscribers;
  },

  async subscribersUpTo(connection, channelId, limit) {
    const subscribers = await subscribersUpTo(connection, channelId, limit + 1);
    return subscribers.length > limit ? undefined : subscribers;
  },

  async add(connection, pairs) {
    if (pairs.length === 0) return [];
    const { message_id = 0, seq = 0 } = (await present(connection)) ?? {};
    const wanted = new Map(pairs.map((pair) => [`${pair.user_id} ${pair.channel_id}`, pair]));
    const added = await connection.many(SUBSCRIPTION, ADD, [
      message_id,
      JSON.stringify([...wanted.values()].map((pair) => [pair.user_id, pair.channel_id, pair.color])),
    ]);
    if (added.length === 0) return [];
    const list = pairList(added);
    const people = [...new Set(added.map(({ user_id }) => user_id))];
    await Promise.all([
      connection.run(APPLY_FLOORS, [JSON.stringify(people), list]),
      connection.run(BEGIN_PERIODS, [message_id, seq, list]),
      connection.run(COUNT, [1, list]),
      raiseVersion(connection, 'channels'),
    ]);
    return pairsInOrder(added);
  },

  async remove(connection, pairs) {
    if (pairs.length === 0) return [];
    const { message_id = 0, seq = 0 } = (await present(connection)) ?? {};
    const removed = await connection.all<UserChannel>(REMOVE, [pairList(pairs)]);
    if (removed.length === 0) return [];
    const list = pairList(removed);
    // Without a subscription nothing is unread, also after subscribing again.
    const [marked] = await Promise.all([
      leftUnread.markedInChannels(connection, removed),
      connection.run(END_PERIODS, [message_id, seq, list]),
      connection.run(COUNT, [-1, list]),
      raiseVersion(connection, 'channels'),
    ]);
    await unmark(connection, marksOf(marked));
    return pairsInOrder(removed);
  },

  async readAll(connection, channelId) {
    const readers = await raiseFloors(connection, channelId);
    const [marked, floorless] = await Promise.all([
      leftUnread.markedInChannels(connection, readers),
      dropFloorless(connection, channelId),
    ]);
    await unmark(connection, marksOf(marked));
    return [...new Set(floorless)];
  },

  async update(connection, userId, property, values) {
    const rows = [...values].map(([id, value]) => (typeof value === 'string' ? [id, 0, value] : [id, Number(value)]));
    const column = property === 'color' ? 'p.c' : 'p.b';
    await connection.run(
      `UPDATE subscriptions SET ${property} = ${column} FROM PAIRS(?) AS p WHERE user_id = ? AND channel_id = p.a`,
      [JSON.stringify(rows), userId],
    );
    if (REMEMBERED.has(property)) await raiseVersion(connection, 'channels');
  },
};

function marksOf(marked: readonly MessagesInChannel[]): [number, number][] {
  return marked.flatMap(({ user_id, message_ids }) => message_ids.map((id): [number, number] => [id, user_id]));
}

function pairList(pairs: readonly UserChannel[]): string {
  return JSON.stringify(pairs.map((pair) => [pair.user_id, pair.channel_id]));
}

function pairsInOrder<P extends UserChannel>(pairs: P[]): P[] {
  return pairs.sort((a, b) => a.channel_id - b.channel_id || a.user_id - b.user_id);
}

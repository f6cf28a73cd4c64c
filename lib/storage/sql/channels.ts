import type { Channel, ChannelFolder, ChannelHead } from '../../model/channels.ts';
import { fold } from '../../rules/fold.ts';
import type { ChannelStore } from '../interface/channels.ts';
import type { Subscription } from '../interface/subscriptions.ts';
import type { RowShape } from './connection.ts';
import { orderedList, raiseVersion } from './organization.ts';
import { record } from './record.ts';
import { exists, findable, keyed, one, type Queries } from './store.ts';
import { SUBSCRIPTION } from './subscriptions.ts';

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
const NOTE_MESSAGES = `
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

  async noteMessages(connection, messages, day) {
    if (messages.length === 0) return [];
    const noted = new Map(messages.map(({ channel_id, message_id }) => [channel_id, message_id]));
    const params = [day, JSON.stringify([...noted])];
    const rows = await connection.all<{ id: number; first_message_id: number }>(NOTE_MESSAGES, params);
    return rows.filter(({ id, first_message_id }) => noted.get(id) === first_message_id).map(({ id }) => id);
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

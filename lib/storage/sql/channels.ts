import { fold } from '../../rules/fold.ts';
import type { Channel, ChannelFolder, ChannelHead, ChannelStore, NewChannel } from '../interface/channels.ts';
import type { Subscription } from '../interface/subscriptions.ts';
import type { Connection, SqlValue } from './connection.ts';
import { assignments, toColumn } from './fields.ts';
import { raisePlacesVersion } from './places-version.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscriptions.ts';

const FIELDS = [
  'name',
  'description',
  'rendered_description',
  'creator_id',
  'created_ms',
  'invite_only',
  'history_public_to_subscribers',
  'is_web_public',
  'is_archived',
  'is_default',
  'topics_policy',
  'message_retention_days',
  'folder_id',
  'settings',
] as const satisfies readonly (keyof NewChannel)[];
const COUNTERS = ['first_message_id', 'last_active_day'] as const;

const HEAD = ['id', ...FIELDS, ...COUNTERS].map((column) => `c.${column}`).join(', ');
const WHOLE = `${HEAD},
  (SELECT COUNT(*) FROM subscriptions s JOIN users u ON u.id = s.user_id
   WHERE s.channel_id = c.id AND s.active = 1 AND u.is_active = 1) AS subscriber_count`;

const WITH_SUBSCRIPTION = `
  SELECT ${HEAD}, ${SUBSCRIPTION_COLUMNS}
  FROM channels c LEFT JOIN subscriptions s ON s.user_id = ? AND s.channel_id = c.id
  WHERE c.id = ?`;

interface ChannelRow {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  invite_only: number;
  history_public_to_subscribers: number;
  is_web_public: number;
  is_archived: number;
  is_default: number;
  topics_policy: string;
  message_retention_days: number | null;
  folder_id: number | null;
  settings: string;
  first_message_id: number | null;
  last_active_day: number | null;
}

interface FolderRow {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  position: number;
  is_archived: number;
}

function toHead(row: ChannelRow): ChannelHead {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    rendered_description: row.rendered_description,
    creator_id: row.creator_id,
    created_ms: row.created_ms,
    invite_only: row.invite_only === 1,
    history_public_to_subscribers: row.history_public_to_subscribers === 1,
    is_web_public: row.is_web_public === 1,
    is_archived: row.is_archived === 1,
    is_default: row.is_default === 1,
    topics_policy: row.topics_policy as Channel['topics_policy'],
    message_retention_days: row.message_retention_days,
    folder_id: row.folder_id,
    settings: JSON.parse(row.settings),
    first_message_id: row.first_message_id,
    last_active_day: row.last_active_day,
  };
}

export class SqlChannels implements ChannelStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async byId(id: number): Promise<Channel | undefined> {
    return (await this.#select('c.id = ?', [id]))[0];
  }

  async withSubscription(
    id: number,
    userId: number,
  ): Promise<{ channel: ChannelHead; subscription: Subscription | undefined } | undefined> {
    const row = await this.#connection.get<ChannelRow & SubscriptionRow>(WITH_SUBSCRIPTION, [userId, id]);
    if (!row) return undefined;
    return { channel: toHead(row), subscription: row.user_id === null ? undefined : toSubscription(row) };
  }

  async byIds(ids: readonly number[]): Promise<Channel[]> {
    return ids.length === 0 ? [] : this.#select('c.id IN_IDS(?)', [JSON.stringify(ids)]);
  }

  async byNames(names: readonly string[]): Promise<Channel[]> {
    return names.length === 0 ? [] : this.#select('c.name_key IN_TEXTS(?)', [JSON.stringify(names.map(fold))]);
  }

  async all(): Promise<Channel[]> {
    return this.#select('true', []);
  }

  async create(channel: NewChannel): Promise<number | undefined> {
    const row = await this.#connection.get<{ id: number }>(
      `INSERT INTO channels (${FIELDS.join(', ')}, name_key) VALUES (${FIELDS.map(() => '?').join(', ')}, ?)
       ON CONFLICT (name_key) DO NOTHING RETURNING id`,
      [...FIELDS.map((field) => toColumn(channel[field])), fold(channel.name)],
    );
    if (row) await raisePlacesVersion(this.#connection);
    return row?.id;
  }

  async update(
    id: number,
    patch: Partial<NewChannel & Pick<Channel, 'first_message_id' | 'last_active_day'>>,
  ): Promise<boolean> {
    const { text, params } = assignments(patch, [...FIELDS, ...COUNTERS]);
    if (text === '') return true;
    if (patch.name === undefined) {
      await this.#connection.run(`UPDATE channels SET ${text} WHERE id = ?`, [...params, id]);
      if (FIELDS.some((field) => patch[field] !== undefined)) await raisePlacesVersion(this.#connection);
      return true;
    }
    const key = fold(patch.name);
    const changed = await this.#connection.run(
      `UPDATE channels SET ${text}, name_key = ?
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.name_key = ? AND o.id <> ?)`,
      [...params, key, id, key, id],
    );
    if (changed > 0) await raisePlacesVersion(this.#connection);
    return changed > 0;
  }

  async noteMessage(id: number, messageId: number, day: number): Promise<void> {
    await this.#connection.run(
      'UPDATE channels SET first_message_id = COALESCE(first_message_id, ?), last_active_day = ? WHERE id = ?',
      [messageId, day, id],
    );
  }

  async folders(): Promise<ChannelFolder[]> {
    const rows = await this.#connection.all<FolderRow>(
      `SELECT id, name, description, rendered_description, creator_id, created_ms, position, is_archived
       FROM channel_folders ORDER BY position, id`,
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      rendered_description: row.rendered_description,
      creator_id: row.creator_id,
      created_ms: row.created_ms,
      order: row.position,
      is_archived: row.is_archived === 1,
    }));
  }

  async createFolder(folder: Omit<ChannelFolder, 'id' | 'order'>): Promise<number> {
    const row = await this.#connection.get<{ id: number }>(
      `INSERT INTO channel_folders
         (name, description, rendered_description, creator_id, created_ms, is_archived, position)
       VALUES (?, ?, ?, ?, ?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM channel_folders)) RETURNING id`,
      [
        folder.name,
        folder.description,
        folder.rendered_description,
        folder.creator_id,
        folder.created_ms,
        folder.is_archived ? 1 : 0,
      ],
    );
    return (row as { id: number }).id;
  }

  async #select(condition: string, params: SqlValue[]): Promise<Channel[]> {
    const rows = await this.#connection.all<ChannelRow & { subscriber_count: number }>(
      `SELECT ${WHOLE} FROM channels c WHERE ${condition} ORDER BY c.id`,
      params,
    );
    return rows.map((row) => ({ ...toHead(row), subscriber_count: row.subscriber_count }));
  }
}

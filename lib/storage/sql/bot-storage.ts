import type {
  BotStorageEntry,
  BotStorageSize,
  BotStorageSizes,
  BotStorageStore,
  SizedBotStorageEntry,
} from '../interface/bot-storage.ts';
import { record } from './record.ts';
import { SqlStore } from './store.ts';

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
const WITH_KEYS = `${OF_USER} AND key IN_TEXTS(?)`;
const SIZES = `SELECT ${ENTRY_SIZE.columns} FROM bot_storage WHERE user_id = ? AND key IN_TEXTS(?)`;
const SIZE_OF_ALL = `SELECT ${SIZE.columns} FROM bot_storage_sizes WHERE user_id = ?`;
const SET = `
  ${OWN_ENTRY.insertMany('bot_storage')}
  ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, bytes = excluded.bytes`;
const SET_SIZE = `
  INSERT INTO bot_storage_sizes (${SIZE.columns}, user_id) VALUES (${SIZE.places}, ?)
  ON CONFLICT (user_id) DO UPDATE SET entries = excluded.entries, bytes = excluded.bytes`;

export class SqlBotStorage extends SqlStore implements BotStorageStore {
  async of(userId: number, keys?: readonly string[]): Promise<BotStorageEntry[]> {
    const entries = keys
      ? await this.connection.many(ENTRY, WITH_KEYS, [userId, JSON.stringify(keys)])
      : await this.connection.many(ENTRY, OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async sizes(userId: number, keys: readonly string[]): Promise<BotStorageSizes> {
    await this.connection.concurrency?.serializeReader(userId);
    const all = await this.connection.one(SIZE, SIZE_OF_ALL, [userId]);
    const named = await this.connection.many(ENTRY_SIZE, SIZES, [userId, JSON.stringify(keys)]);
    return { all: all ?? { entries: 0, bytes: 0 }, named };
  }

  async set(userId: number, entries: readonly SizedBotStorageEntry[], size: BotStorageSize): Promise<void> {
    const rows = entries.map((entry) => OWN_ENTRY.values({ user_id: userId, ...entry }));
    await this.connection.run(SET, [JSON.stringify(rows)]);
    await this.connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  }

  async remove(userId: number, keys: readonly string[], size: BotStorageSize): Promise<void> {
    const list = JSON.stringify(keys);
    await this.connection.run('DELETE FROM bot_storage WHERE user_id = ? AND key IN_TEXTS(?)', [userId, list]);
    await this.connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  }

  async removeAll(userId: number): Promise<void> {
    await this.connection.concurrency?.serializeReader(userId);
    await this.connection.run('DELETE FROM bot_storage WHERE user_id = ?', [userId]);
    await this.connection.run('DELETE FROM bot_storage_sizes WHERE user_id = ?', [userId]);
  }
}

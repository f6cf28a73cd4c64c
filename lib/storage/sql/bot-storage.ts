import type { BotStorageSize, BotStorageStore, SizedBotStorageEntry } from '../interface/bot-storage.ts';
import { record } from './record.ts';
import { type Queries, run } from './store.ts';

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
const set = run(`
  ${OWN_ENTRY.insertMany('bot_storage')}
  ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, bytes = excluded.bytes`);
const remove = run('DELETE FROM bot_storage WHERE user_id = ? AND key IN_TEXTS(?)');
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
    await set(connection, rows);
    await connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  },

  async remove(connection, userId, keys, size) {
    await remove(connection, userId, keys);
    await connection.run(SET_SIZE, [...SIZE.values(size), userId]);
  },

  async removeAll(connection, userId) {
    await connection.concurrency?.serializeReader(userId);
    await connection.run('DELETE FROM bot_storage WHERE user_id = ?', [userId]);
    await connection.run('DELETE FROM bot_storage_sizes WHERE user_id = ?', [userId]);
  },
};

import { alertWordKey, alertWordOpening } from '../../rules/alert-words.ts';
import type { AlertWordStore, MutedUser, MutedUserStore } from '../interface/reader-settings.ts';
import type { Connection } from './connection.ts';
import { raising } from './organization.ts';
import { record } from './record.ts';
import { after, changed, changes, column, count, ids, type Queries, rows } from './store.ts';

const MUTED_USER = record<MutedUser>({ id: { column: 'muted_user_id' }, timestamp: 'integer' });

const MUTE = `
  INSERT INTO muted_users (user_id, ${MUTED_USER.columns}) VALUES (?, ${MUTED_USER.places})
  ON CONFLICT (user_id, muted_user_id) DO UPDATE SET timestamp = excluded.timestamp, until_message_id = NULL
  WHERE muted_users.until_message_id IS NOT NULL`;

export const mutedUsers: Queries<MutedUserStore> = {
  of: MUTED_USER.many(`
    SELECT ${MUTED_USER.columns} FROM muted_users WHERE user_id = ? AND until_message_id IS NULL ORDER BY muted_user_id`),
  mutersOf: ids(`
    SELECT user_id AS id FROM muted_users WHERE muted_user_id = ? AND until_message_id IS NULL ORDER BY user_id`),
  mutedUntil: count('SELECT until_message_id AS id FROM muted_users WHERE user_id = ? AND muted_user_id = ?'),
  add: raising(
    'readers',
    async (connection: Connection, userId: number, muted: MutedUser) =>
      (await connection.run(MUTE, [userId, ...MUTED_USER.values(muted)])) > 0,
  ),
  remove: raising(
    'readers',
    changes(`
      UPDATE muted_users SET until_message_id = (SELECT COALESCE(MAX(id), 0) FROM messages)
      WHERE user_id = ? AND muted_user_id = ? AND until_message_id IS NULL`),
  ),
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

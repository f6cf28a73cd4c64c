import { alertWordKey, alertWordOpening } from '../../rules/alert-words.ts';
import type { AlertWordStore, MutedUser, MutedUserStore } from '../interface/reader-settings.ts';
import type { Connection } from './connection.ts';
import { raiseVersion, raising } from './organization.ts';
import { record } from './record.ts';
import { after, changed, changes, column, count, ids, rows, storeOf } from './store.ts';

const MUTED_USER = record<MutedUser>({ id: { column: 'muted_user_id' }, timestamp: 'integer' });

const MUTE = `
  INSERT INTO muted_users (user_id, ${MUTED_USER.columns}) VALUES (?, ${MUTED_USER.places})
  ON CONFLICT (user_id, muted_user_id) DO UPDATE SET timestamp = excluded.timestamp, until_message_id = NULL
  WHERE muted_users.until_message_id IS NOT NULL`;

const mutedUsers = {
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

export class SqlMutedUsers extends storeOf(mutedUsers) implements MutedUserStore {}

const ALERT_WORD = record<{ user_id: number; word_key: string; word: string; opening: string }>({
  user_id: 'integer',
  word_key: 'text',
  word: 'text',
  opening: 'text',
});
const ADD_WORDS = `${ALERT_WORD.insertMany('alert_words')} ON CONFLICT (user_id, word_key) DO NOTHING`;
const removeWords = raising('readers', changed('DELETE FROM alert_words WHERE user_id = ? AND word_key IN_TEXTS(?)'));

const alertWords = {
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
};

export class SqlAlertWords extends storeOf(alertWords) implements AlertWordStore {
  async add(userId: number, words: readonly string[]): Promise<void> {
    if (words.length === 0) return;
    const rows = words.map((word) => {
      const word_key = alertWordKey(word);
      return ALERT_WORD.values({ user_id: userId, word_key, word, opening: alertWordOpening(word_key) });
    });
    const added = await this.connection.run(ADD_WORDS, [JSON.stringify(rows)]);
    if (added > 0) await raiseVersion(this.connection, 'readers');
  }

  async remove(userId: number, words: readonly string[]): Promise<void> {
    await removeWords(this.connection, userId, words.map(alertWordKey));
  }
}

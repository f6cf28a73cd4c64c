import { alertWordKey, alertWordOpening } from '../../rules/alert-words.ts';
import type { AlertWordStore, MutedUser, MutedUserStore } from '../interface/reader-settings.ts';
import { SqlStore } from './connection.ts';
import { raiseVersion } from './organization.ts';
import { record } from './record.ts';

const MUTED_USER = record<MutedUser>({ id: { column: 'muted_user_id' }, timestamp: 'integer' });

const MUTED_OF_USER = `
  SELECT ${MUTED_USER.columns} FROM muted_users WHERE user_id = ? AND until_message_id IS NULL ORDER BY muted_user_id`;
const MUTERS = `
  SELECT user_id AS id FROM muted_users WHERE muted_user_id = ? AND until_message_id IS NULL ORDER BY user_id`;
const MUTED_UNTIL = 'SELECT until_message_id AS id FROM muted_users WHERE user_id = ? AND muted_user_id = ?';
const MUTE = `
  INSERT INTO muted_users (user_id, ${MUTED_USER.columns}) VALUES (?, ${MUTED_USER.places})
  ON CONFLICT (user_id, muted_user_id) DO UPDATE SET timestamp = excluded.timestamp, until_message_id = NULL
  WHERE muted_users.until_message_id IS NOT NULL`;
const UNMUTE = `
  UPDATE muted_users SET until_message_id = (SELECT COALESCE(MAX(id), 0) FROM messages)
  WHERE user_id = ? AND muted_user_id = ? AND until_message_id IS NULL`;

export class SqlMutedUsers extends SqlStore implements MutedUserStore {
  readonly of = this.statement.many(MUTED_USER, MUTED_OF_USER);
  readonly mutersOf = this.statement.column(MUTERS);
  readonly mutedUntil = this.statement.count(MUTED_UNTIL);

  async add(userId: number, muted: MutedUser): Promise<boolean> {
    if ((await this.connection.run(MUTE, [userId, ...MUTED_USER.values(muted)])) === 0) return false;
    await raiseVersion(this.connection, 'readers');
    return true;
  }

  async remove(userId: number, mutedUserId: number): Promise<boolean> {
    if ((await this.connection.run(UNMUTE, [userId, mutedUserId])) === 0) return false;
    await raiseVersion(this.connection, 'readers');
    return true;
  }
}

const WORDS_OF_USER = 'SELECT word FROM alert_words WHERE user_id = ? ORDER BY word_key';
const ALERT_WORD = record<{ user_id: number; word_key: string; word: string; opening: string }>({
  user_id: 'integer',
  word_key: 'text',
  word: 'text',
  opening: 'text',
});
const ADD_WORDS = `${ALERT_WORD.insertMany('alert_words')} ON CONFLICT (user_id, word_key) DO NOTHING`;
const REMOVE_WORDS = 'DELETE FROM alert_words WHERE user_id = ? AND word_key IN_TEXTS(?)';
const OPENING_WITH = `
  SELECT x.word_key AS word, ID_LIST(x.user_id) AS ids FROM alert_words x
  WHERE x.opening IN_TEXTS(?) GROUP BY x.word_key`;

export class SqlAlertWords extends SqlStore implements AlertWordStore {
  async of(userId: number): Promise<string[]> {
    const rows = await this.connection.all<{ word: string }>(WORDS_OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return rows.map((row) => row.word).sort((a, b) => (alertWordKey(a) < alertWordKey(b) ? -1 : 1));
  }

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
    if (words.length === 0) return;
    const removed = await this.connection.run(REMOVE_WORDS, [userId, JSON.stringify(words.map(alertWordKey))]);
    if (removed > 0) await raiseVersion(this.connection, 'readers');
  }

  async openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]> {
    if (openings.length === 0) return [];
    const rows = await this.connection.all<{ word: string; ids: string }>(OPENING_WITH, [JSON.stringify(openings)]);
    return rows.map(({ word, ids }) => ({ word, user_ids: JSON.parse(ids) }));
  }
}

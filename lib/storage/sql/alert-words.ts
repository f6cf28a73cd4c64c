import { alertWordKey, alertWordOpening } from '../../rules/alert-words.ts';
import type { AlertWordStore } from '../interface/alert-words.ts';
import { SqlStore } from './connection.ts';
import { raiseReadersVersion } from './readers-version.ts';

const OF_USER = 'SELECT word FROM alert_words WHERE user_id = ? ORDER BY word_key';
const add = (rows: number) => `
  INSERT INTO alert_words (user_id, word_key, word, opening)
  VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ')}
  ON CONFLICT (user_id, word_key) DO NOTHING`;
const REMOVE = 'DELETE FROM alert_words WHERE user_id = ? AND word_key IN_TEXTS(?)';
const OPENING_WITH = `
  SELECT x.word_key AS word, ID_LIST(x.user_id) AS ids FROM alert_words x
  WHERE x.opening IN_TEXTS(?) GROUP BY x.word_key`;

export class SqlAlertWords extends SqlStore implements AlertWordStore {
  async of(userId: number): Promise<string[]> {
    const rows = await this.connection.all<{ word: string }>(OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return rows.map((row) => row.word).sort((one, other) => (alertWordKey(one) < alertWordKey(other) ? -1 : 1));
  }

  async add(userId: number, words: readonly string[]): Promise<void> {
    if (words.length === 0) return;
    const rows = words.map((word) => [userId, alertWordKey(word), word, alertWordOpening(alertWordKey(word))]);
    // Filled up with what is there already, so that few texts arise.
    const size = 2 ** Math.ceil(Math.log2(rows.length));
    const filled = Array.from({ length: size }, (_, at) => rows[at % rows.length] ?? []);
    const added = await this.connection.run(add(size), filled.flat());
    if (added > 0) await raiseReadersVersion(this.connection);
  }

  async remove(userId: number, words: readonly string[]): Promise<void> {
    if (words.length === 0) return;
    const removed = await this.connection.run(REMOVE, [userId, JSON.stringify(words.map(alertWordKey))]);
    if (removed > 0) await raiseReadersVersion(this.connection);
  }

  async openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]> {
    if (openings.length === 0) return [];
    const rows = await this.connection.all<{ word: string; ids: string }>(OPENING_WITH, [JSON.stringify(openings)]);
    return rows.map(({ word, ids }) => ({ word, user_ids: JSON.parse(ids) }));
  }
}

import type { ImportedRecord, ImportStore, NewestMessage } from '../interface/imports.ts';
import { FLAG_BITS } from './read-rule.ts';
import { changed, type Queries, rows, run } from './store.ts';

const records = rows<ImportedRecord>('SELECT key, record_id FROM imported_records WHERE key IN_TEXTS(?)');
const add = run('INSERT INTO imported_records (key, record_id) SELECT p.c, p.a FROM PAIRS(?) AS p');
const markEdited = run('UPDATE messages SET last_edit_timestamp = p.b FROM PAIRS(?) AS p WHERE messages.id = p.a');
const star = run(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT p.a, p.b, ${FLAG_BITS.starred} FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits`);
const react = changed(`
  INSERT INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
  SELECT NUMBER(0), NUMBER(1), TEXT(2), TEXT(3), TEXT(4) FROM ROWS(?) WHERE true ORDER BY key
  ON CONFLICT (message_id, user_id, reaction_type, emoji_code) DO NOTHING`);
// The pairs are channels, each with its newest message of others than this import.
const raiseFloors = run(`
  UPDATE subscriptions SET floor = CAST(?1 AS BIGINT) FROM PAIRS(?2) AS p
  WHERE subscriptions.channel_id = p.a AND active = 1 AND floor < CAST(?1 AS BIGINT) AND floor >= p.b`);
const newestInChannels = rows<NewestMessage>(`
  SELECT * FROM (
    SELECT c.channel_id, MAX((SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = c.id AND m.id < ?1)) AS id
    FROM conversations c WHERE c.channel_id IN_IDS(?2) GROUP BY c.channel_id) AS n WHERE n.id IS NOT NULL`);
const newestBetween = rows<NewestMessage>(`
  SELECT c.channel_id, MAX(m.id) AS id FROM messages m JOIN conversations c ON c.id = m.conversation_id
  WHERE m.id > ? AND m.id < ? AND c.channel_id IS NOT NULL GROUP BY c.channel_id`);
// Extends the last range of each reader if no message is between it and the new one.
const cover = (readers: string) =>
  run(`
  INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
  SELECT t.user_id, p.a, COALESCE((
    SELECT CASE WHEN r.to_id >= COALESCE((
        SELECT MAX(b.id) FROM messages b WHERE b.conversation_id = p.a AND b.id < p.b), 0) THEN r.from_id END
    FROM read_ranges r WHERE r.user_id = t.user_id AND r.conversation_id = p.a ORDER BY r.from_id DESC LIMIT 1), p.b),
    CAST(?1 AS BIGINT)
  FROM PAIRS(?2) AS p ${readers}
  ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`);
const coverDirect = cover('JOIN conversation_participants t ON t.conversation_id = p.a WHERE true');
const coverTopics = cover(`JOIN conversations c ON c.id = p.a
  JOIN subscriptions t ON t.channel_id = c.channel_id AND t.active = 1 WHERE t.floor < CAST(?1 AS BIGINT)`);

/** Records of another chat. */
export const imports: Queries<ImportStore> = {
  idsOf: async (connection, keys) =>
    new Map((await records(connection, keys)).map(({ key, record_id }) => [key, record_id])),
  add: (connection, added) =>
    add(
      connection,
      added.map(({ key, record_id }) => [record_id, 0, key]),
    ),
  markEdited: (connection, messages) =>
    markEdited(
      connection,
      messages.map(({ id, timestamp }) => [id, timestamp]),
    ),
  star: (connection, pairs) =>
    star(
      connection,
      pairs.map(({ message_id, user_id }) => [message_id, user_id]),
    ),
  react: (connection, reactions) =>
    react(
      connection,
      reactions.map((reaction) => [
        ...[reaction.message_id, reaction.user_id, reaction.reaction_type, reaction.emoji_code, reaction.emoji_name],
      ]),
    ),
  newestInChannels: (connection, channelIds, beforeId) => newestInChannels(connection, beforeId, channelIds),
  newestBetween,
  async markRead(connection, channels, conversations, upTo) {
    const pairsOf = (isDirect: boolean) =>
      conversations
        .filter(({ channel_id }) => (channel_id === null) === isDirect)
        .map(({ id, from_id }) => [id, from_id] as const);
    await raiseFloors(
      connection,
      upTo,
      channels.map(({ channel_id, id }) => [channel_id, id]),
    );
    await Promise.all([coverTopics(connection, upTo, pairsOf(false)), coverDirect(connection, upTo, pairsOf(true))]);
  },
};

import { foldTopic } from '../../rules/fold.ts';
import { MAX_CHANNEL_NAME_LENGTH, MAX_TOPIC_LENGTH } from '../../rules/names.ts';
import { truncate } from '../../rules/topics.ts';
import type { Connection } from '../sql/connection.ts';
import { raiseVersion } from '../sql/organization.ts';
import { putWords } from '../sql/word-index.ts';
import type { Filling } from './migration.ts';

/** Keys of channels and topics are in NFC. Only code can normalize: the fill does it. */
export const oneSpelling = '';

const BATCH = 2_000;
/** Rows changed per transaction. Each takes several statements, and other writers wait. */
const MAX_RESPELLED = 200;

/** Channels and topic settings are few, so the first step does all of them. Then come the topics, by their IDs. */
export const fillOneSpelling: Filling = {
  goesThrough: ['conversations'],
  perSecond: 100_000,
  async some(connection, after) {
    if (after === 0) {
      await respellChannels(connection);
      await respellTopicSettings(connection);
    }
    const rows = await connection.all<{ id: number; channel_id: number; topic: string }>(
      `SELECT id, channel_id, topic FROM conversations
       WHERE id > ? AND topic_key IS NOT NULL ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    const respelled = rows.filter((row) => isRespelled(row.topic));
    const most = respelled.slice(0, MAX_RESPELLED);
    for (const { id, channel_id, topic } of most) {
      const isTaken = async (key: string) =>
        (await connection.value(
          'SELECT COUNT(*) FROM conversations WHERE channel_id = ? AND topic_key = ? AND id <> ?',
          [channel_id, key, id],
        )) !== 0;
      const name = await freeName(topic, { max: MAX_TOPIC_LENGTH, isTaken });
      await connection.run('UPDATE conversations SET topic = ?, topic_key = ? WHERE id = ?', [
        name,
        foldTopic(name),
        id,
      ]);
      await putWords(connection, 'topic_words', [[id, name]]);
    }
    const to = (most.length < respelled.length ? most : rows).at(-1)?.id;
    if (to === undefined) return undefined;
    return { to, total: (await connection.value('SELECT MAX(id) FROM conversations')) ?? to };
  },
};

const inNfc = (text: string) => text.normalize('NFC');
const isRespelled = (text: string) => inNfc(text) !== text;

/** The name in NFC. A number tells it from another one that was stored in the other spelling. */
async function freeName(
  name: string,
  { max, isTaken }: { max: number; isTaken(key: string): Promise<boolean> },
): Promise<string> {
  const spelled = inNfc(name);
  let free = spelled;
  for (let n = 2; await isTaken(foldTopic(free)); n++) {
    const mark = ` (${n})`;
    free = truncate(spelled, max - mark.length, '') + mark;
  }
  return free;
}

async function respellChannels(connection: Connection): Promise<void> {
  const rows = await connection.all<{ id: number; name: string }>('SELECT id, name FROM channels ORDER BY id', []);
  const respelled = rows.filter(({ name }) => isRespelled(name));
  for (const { id, name } of respelled) {
    const isTaken = async (key: string) =>
      (await connection.value('SELECT COUNT(*) FROM channels WHERE name_key = ? AND id <> ?', [key, id])) !== 0;
    const free = await freeName(name, { max: MAX_CHANNEL_NAME_LENGTH, isTaken });
    await connection.run('UPDATE channels SET name = ?, name_key = ? WHERE id = ?', [free, foldTopic(free), id]);
  }
  if (respelled.length > 0) await raiseVersion(connection, 'channels');
}

/** Of two settings for one topic, the one that was stored in NFC stays. */
async function respellTopicSettings(connection: Connection): Promise<void> {
  const rows = await connection.all<{ channel_id: number; topic_key: string; topic: string }>(
    `SELECT DISTINCT channel_id, topic_key, topic FROM user_topics WHERE octet_length(topic_key) <> length(topic_key)`,
    [],
  );
  for (const { channel_id, topic_key, topic } of rows.filter((row) => isRespelled(row.topic))) {
    const name = inNfc(topic);
    const key = foldTopic(name);
    await connection.run(
      `UPDATE user_topics SET topic_key = ?, topic = ?
       WHERE channel_id = ? AND topic_key = ? AND (topic_key = ? OR NOT EXISTS (
         SELECT 1 FROM user_topics o
         WHERE o.user_id = user_topics.user_id AND o.channel_id = user_topics.channel_id AND o.topic_key = ?))`,
      [key, name, channel_id, topic_key, key, key],
    );
    if (key !== topic_key)
      await connection.run('DELETE FROM user_topics WHERE channel_id = ? AND topic_key = ?', [channel_id, topic_key]);
  }
}

import type { Edit, EditStore, Message, NewEdit } from '../storage.ts';
import type { Connection } from './connection.ts';

const SHARED = [
  'conversation_id',
  'prev_conversation_id',
  'up_to_message_id',
  'part_of',
  'editor_id',
  'timestamp',
  'prev_content',
  'prev_rendered_content',
  'prev_topic',
  'topic',
  'prev_channel_id',
  'channel_id',
] as const satisfies readonly (keyof NewEdit)[];
const COLUMNS = ['id', 'message_id', ...SHARED].map((column) => `e.${column}`).join(', ');
const INTEGERS: ReadonlySet<string> = new Set(
  SHARED.filter(
    (column) => !column.startsWith('prev_content') && !column.startsWith('prev_rendered') && !column.endsWith('topic'),
  ),
);

const INSERT = `
  INSERT INTO edits (message_id, ${SHARED.join(', ')}) VALUES (?, ${SHARED.map(() => '?').join(', ')}) RETURNING id`;
const INSERT_FOR_EACH = `
  INSERT INTO edits (message_id, ${SHARED.join(', ')})
  SELECT m.id, ${SHARED.map((column) => `CAST(? AS ${INTEGERS.has(column) ? 'BIGINT' : 'TEXT'})`).join(', ')}
  FROM messages m WHERE m.id IN_IDS(?) ORDER BY m.id`;

/**
 * The message's own rows, and those of whole conversations while it stood in them: from its arrival by
 * one of its own moves to the next one, in the order of ids.
 */
const OF_MESSAGE = `
  WITH own(id, conversation_id, prev_conversation_id) AS (
    SELECT id, conversation_id, prev_conversation_id FROM edits WHERE message_id = ?
  ),
  stays(conversation_id, after_id, before_id) AS (
    SELECT COALESCE((SELECT o.prev_conversation_id FROM own o WHERE o.conversation_id <> o.prev_conversation_id
        ORDER BY o.id LIMIT 1), CAST(? AS BIGINT)), 0,
      (SELECT MIN(o.id) FROM own o WHERE o.conversation_id <> o.prev_conversation_id)
    UNION ALL
    SELECT o.conversation_id, o.id,
      (SELECT MIN(n.id) FROM own n WHERE n.conversation_id <> n.prev_conversation_id AND n.id > o.id)
    FROM own o WHERE o.conversation_id <> o.prev_conversation_id
  )
  SELECT ${COLUMNS} FROM edits e WHERE e.message_id = ?
  UNION ALL
  SELECT ${COLUMNS} FROM stays s JOIN edits e ON e.conversation_id = s.conversation_id
  WHERE e.message_id IS NULL AND e.up_to_message_id >= ? AND e.id > s.after_id
    AND e.id < COALESCE(s.before_id, 9007199254740991)
    AND e.id NOT IN (SELECT p.part_of FROM edits p WHERE p.message_id = ? AND p.part_of IS NOT NULL)
  ORDER BY id`;

/** What stands there now without having come later, and what stood there then and has been moved on since. */
const MESSAGES_MOVED = `
  SELECT m.id FROM edits e JOIN messages m ON m.conversation_id = e.conversation_id AND m.id <= e.up_to_message_id
  WHERE e.id = ? AND m.id NOT IN (
    SELECT i.message_id FROM edits i
    WHERE i.conversation_id = e.conversation_id AND i.conversation_id <> i.prev_conversation_id AND i.id > e.id)
  UNION
  SELECT o.message_id FROM edits e JOIN edits o ON o.prev_conversation_id = e.conversation_id AND o.id > e.id
  WHERE e.id = ? AND o.conversation_id <> o.prev_conversation_id AND o.message_id <= e.up_to_message_id
    AND NOT EXISTS (SELECT 1 FROM edits f
      WHERE f.message_id = o.message_id AND f.id > e.id AND f.id < o.id AND f.conversation_id <> f.prev_conversation_id)
  ORDER BY 1`;

export class SqlEdits implements EditStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add(edit: NewEdit): Promise<number> {
    const row = await this.#connection.get<{ id: number }>(INSERT, [
      edit.message_id,
      ...SHARED.map((column) => edit[column]),
    ]);
    return (row as { id: number }).id;
  }

  async addForEach(messageIds: readonly number[], edit: Omit<NewEdit, 'message_id'>): Promise<void> {
    if (messageIds.length === 0) return;
    await this.#connection.run(INSERT_FOR_EACH, [...SHARED.map((column) => edit[column]), JSON.stringify(messageIds)]);
  }

  async ofMessage({ id, conversation_id }: Pick<Message, 'id' | 'conversation_id'>): Promise<Edit[]> {
    const rows = await this.#connection.all<Edit>(OF_MESSAGE, [id, conversation_id, id, id, id]);
    return rows.map((row) => ({ ...row }));
  }

  async messagesMoved(editId: number): Promise<number[]> {
    const rows = await this.#connection.all<{ id: number }>(MESSAGES_MOVED, [editId, editId]);
    return rows.map((row) => row.id);
  }
}

import type { EventQueue, QueueStore } from '../interface/queues.ts';
import type { Connection } from './connection.ts';

interface QueueRow {
  id: string;
  user_id: number;
  client: string;
  event_types: string | null;
  narrow: string;
  all_public_streams: number;
  options: string;
  start_seq: number;
  acked_seq: number;
  last_used_ms: number;
  lifespan: number;
}

const BY_ID = `
  SELECT id, user_id, client, event_types, narrow, all_public_streams, options, start_seq, acked_seq,
    last_used_ms, lifespan
  FROM event_queues WHERE id = ?`;
const TOUCH = `
  UPDATE event_queues SET acked_seq = CASE WHEN acked_seq < ? THEN ? ELSE acked_seq END,
    last_used_ms = ?, expires_ms = ? + lifespan * 1000
  WHERE id = ?`;

export class SqlQueues implements QueueStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create(queue: EventQueue): Promise<void> {
    await this.#connection.run(
      `INSERT INTO event_queues (id, user_id, client, event_types, narrow, all_public_streams, options, start_seq,
         acked_seq, last_used_ms, lifespan, expires_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        queue.id,
        queue.user_id,
        queue.client,
        queue.event_types && JSON.stringify(queue.event_types),
        JSON.stringify(queue.narrow),
        queue.all_public_streams ? 1 : 0,
        JSON.stringify(queue.options),
        queue.start_seq,
        queue.acked_seq,
        queue.last_used_ms,
        queue.lifespan,
        queue.last_used_ms + queue.lifespan * 1000,
      ],
    );
  }

  async byId(id: string): Promise<EventQueue | undefined> {
    const row = await this.#connection.get<QueueRow>(BY_ID, [id]);
    return (
      row && {
        ...row,
        event_types: row.event_types === null ? null : JSON.parse(row.event_types),
        narrow: JSON.parse(row.narrow),
        all_public_streams: row.all_public_streams === 1,
        options: JSON.parse(row.options),
      }
    );
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#connection.run('DELETE FROM event_queues WHERE id = ?', [id])) > 0;
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.#connection.run('DELETE FROM event_queues WHERE user_id = ?', [userId]);
  }

  async touch(id: string, ackedSeq: number, nowMs: number): Promise<void> {
    await this.#connection.run(TOUCH, [ackedSeq, ackedSeq, nowMs, nowMs, id]);
  }

  async removeExpired(nowMs: number): Promise<string[]> {
    const rows = await this.#connection.all<{ id: string }>(
      'DELETE FROM event_queues WHERE expires_ms <= ? RETURNING id',
      [nowMs],
    );
    return rows.map((row) => row.id);
  }

  async nextExpiry(): Promise<number | undefined> {
    const row = await this.#connection.get<{ at: number | null }>('SELECT MIN(expires_ms) AS at FROM event_queues');
    return row?.at ?? undefined;
  }

  async oldestNeeded(): Promise<number | undefined> {
    const row = await this.#connection.get<{ seq: number | null }>('SELECT MIN(acked_seq) AS seq FROM event_queues');
    return row?.seq ?? undefined;
  }
}

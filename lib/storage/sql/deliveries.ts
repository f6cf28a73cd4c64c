import type {
  Delivery,
  NewDelivery,
  Reminder,
  ReminderStore,
  ScheduledMessage,
  ScheduledMessageStore,
} from '../interface/deliveries.ts';
import type { Connection, SqlValue } from './connection.ts';
import { type RecordMapping, record } from './record.ts';
import { announcing, changes, type Queries, run, size, value } from './store.ts';

/** After this time, clients have to register again, so they list no earlier delivery. */
const SENT_KEPT_MS = 7 * 24 * 3_600_000;
const FORGOTTEN_AT_A_TIME = 1_000;

/** The methods of a table of deliveries, by the column of the owner. */
function deliveriesIn<D extends Delivery>(table: string, owner: string & keyof D, mapping: RecordMapping<D>) {
  // The compiler cannot compute this type for a generic `D`.
  const created = mapping.without('id', 'failure', 'revision') as unknown as RecordMapping<NewDelivery<D>>;
  const insert = `INSERT INTO ${table} (${created.columns}, due_ms, revision) VALUES (${created.places}, ?, 0) RETURNING id`;
  const replace = (assignments: string) =>
    `UPDATE ${table} SET ${assignments}, due_ms = ?, failure = NULL, revision = revision + 1 WHERE id = ?`;
  const claim = mapping.many(
    // In a subquery: in a join, the engine could evaluate the selection again and exceed the limit.
    `WITH claimed AS MATERIALIZED (
       SELECT id FROM ${table} WHERE due_ms <= ?1 ORDER BY due_ms, id LIMIT ?3 SKIP_LOCKED)
     UPDATE ${table} SET due_ms = ?2, revision = revision + 1 WHERE id IN (SELECT id FROM claimed)
     RETURNING ${mapping.columns}`,
  );
  const removeClaimed = value(`DELETE FROM ${table} WHERE id = ? AND revision = ? RETURNING ${owner}`);
  const insertSent = run(`INSERT INTO sent_deliveries (kind, id, user_id, sent_ms) VALUES ('${table}', ?, ?, ?)`);
  const forget = run(`
    DELETE FROM sent_deliveries WHERE kind = '${table}' AND id IN (
      SELECT id FROM sent_deliveries WHERE kind = '${table}' AND sent_ms < ?
      ORDER BY sent_ms LIMIT ${FORGOTTEN_AT_A_TIME} SKIP_LOCKED)`);
  const remove = changes(`DELETE FROM ${table} WHERE id = ? AND ${owner} = ?`);
  const removeSent = changes(`DELETE FROM sent_deliveries WHERE kind = '${table}' AND id = ? AND user_id = ?`);
  const fail = changes(
    `UPDATE ${table} SET due_ms = NULL, failure = ?3, revision = revision + 1 WHERE id = ?1 AND revision = ?2`,
  );
  /** The values of a delivery, and its due time. */
  const valuesOf = (delivery: NewDelivery<D>): SqlValue[] => {
    const { scheduled_delivery_timestamp } = delivery as Pick<D, 'scheduled_delivery_timestamp'>;
    return [...created.values(delivery), scheduled_delivery_timestamp * 1000];
  };
  return {
    create: announcing(async (connection: Connection, delivery: NewDelivery<D>) =>
      connection.insert(insert, valuesOf(delivery)),
    ),
    replace: announcing(async (connection: Connection, id: number, delivery: NewDelivery<D>) => {
      await connection.run(replace(created.assignments(delivery).text), [...valuesOf(delivery), id]);
    }),
    of: mapping.many(
      `SELECT ${mapping.columns} FROM ${table} WHERE ${owner} = ? ORDER BY scheduled_delivery_timestamp, id`,
    ),
    size: size('LENGTH(content) + LENGTH(rendered_content)', `${table} WHERE ${owner} = ?`),
    byId: mapping.one(`SELECT ${mapping.columns} FROM ${table} WHERE id = ?`),
    remove: async (connection: Connection, id: number, userId: number) =>
      (await remove(connection, id, userId)) || (await removeSent(connection, id, userId)),
    nextDue: value(`SELECT MIN(due_ms) AS at FROM ${table} WHERE due_ms IS NOT NULL`),
    async claimDue(connection: Connection, nowMs: number, leaseUntilMs: number, limit: number) {
      await forget(connection, nowMs - SENT_KEPT_MS);
      const claimed = await claim(connection, nowMs, leaseUntilMs, limit);
      return claimed.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.id - b.id);
    },
    markSent: async (connection: Connection, { id, revision }: Pick<D, 'id' | 'revision'>, nowMs: number) => {
      const userId = await removeClaimed(connection, id, revision);
      if (userId !== undefined) await insertSent(connection, id, userId, nowMs);
      return userId !== undefined;
    },
    fail: (connection: Connection, { id, revision }: Pick<D, 'id' | 'revision'>, failure: string) =>
      fail(connection, id, revision, failure),
  };
}

const DELIVERED = {
  id: 'integer',
  content: 'text',
  rendered_content: 'text',
  scheduled_delivery_timestamp: 'integer',
  failure: 'text',
  revision: 'integer',
} as const;

export const scheduledMessages: Queries<ScheduledMessageStore> = deliveriesIn(
  'scheduled_messages',
  'sender_id',
  record<ScheduledMessage>({
    ...DELIVERED,
    sender_id: 'integer',
    channel_id: 'integer',
    recipient_ids: 'json',
    topic: 'text',
    client: 'text',
    read_by_sender: 'boolean',
  }),
);

/** Reminders have no `replace`. */
const { replace: _, ...ofReminders } = deliveriesIn(
  'reminders',
  'user_id',
  record<Reminder>({ ...DELIVERED, user_id: 'integer', message_id: 'integer', note: 'text' }),
);

export const reminders: Queries<ReminderStore> = ofReminders;

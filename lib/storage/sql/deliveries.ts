import type {
  Delivery,
  DeliveryStore,
  NewDelivery,
  NewScheduledMessage,
  Reminder,
  ScheduledMessage,
  ScheduledMessageStore,
} from '../interface/deliveries.ts';
import { SqlStore, type SqlValue } from './connection.ts';
import { type RecordMapping, record } from './record.ts';

/** A table of deliveries: its name, its owner column and its statements. */
function deliveryTable<D extends Delivery>(table: string, owner: string & keyof D, mapping: RecordMapping<D>) {
  // The compiler cannot compute this type for a generic `D`.
  const created = mapping.without('id', 'failure', 'revision') as unknown as RecordMapping<NewDelivery<D>>;
  return {
    mapping,
    created,
    insert: `INSERT INTO ${table} (${created.columns}, due_ms, revision) VALUES (${created.places}, ?, 0) RETURNING id`,
    of: `SELECT ${mapping.columns} FROM ${table} WHERE ${owner} = ? ORDER BY scheduled_delivery_timestamp, id`,
    size: `
      SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content) + LENGTH(rendered_content)), 0) AS characters
      FROM ${table} WHERE ${owner} = ?`,
    byId: `SELECT ${mapping.columns} FROM ${table} WHERE id = ?`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    nextDue: `SELECT MIN(due_ms) AS at FROM ${table} WHERE due_ms IS NOT NULL`,
    // In a subquery: in a join, the engine could evaluate the selection again and exceed the limit.
    claim: `
      WITH claimed AS MATERIALIZED (
        SELECT id FROM ${table} WHERE due_ms <= ? ORDER BY due_ms, id LIMIT ? SKIP_LOCKED)
      UPDATE ${table} SET due_ms = ?, revision = revision + 1 WHERE id IN (SELECT id FROM claimed)
      RETURNING ${mapping.columns}`,
    take: `DELETE FROM ${table} WHERE id = ? AND revision = ?`,
    fail: `
      UPDATE ${table} SET due_ms = NULL, failure = ?, revision = revision + 1 WHERE id = ? AND revision = ?`,
  };
}

/** The values of a new delivery, and its due time. */
function valuesOf<D extends Delivery>({ created }: DeliveryTable<D>, delivery: NewDelivery<D>): SqlValue[] {
  const { scheduled_delivery_timestamp } = delivery as Pick<D, 'scheduled_delivery_timestamp'>;
  return [...created.values(delivery), scheduled_delivery_timestamp * 1000];
}

type DeliveryTable<D extends Delivery> = ReturnType<typeof deliveryTable<D>>;

abstract class SqlDeliveries<D extends Delivery> extends SqlStore implements DeliveryStore<D> {
  protected abstract readonly table: DeliveryTable<D>;

  async create(delivery: NewDelivery<D>): Promise<number> {
    this.connection.concurrency?.announceDueWork();
    return this.connection.insert(this.table.insert, valuesOf(this.table, delivery));
  }

  async of(userId: number): Promise<D[]> {
    return this.connection.many(this.table.mapping, this.table.of, [userId]);
  }

  async size(userId: number): Promise<{ count: number; characters: number }> {
    return (await this.connection.get(this.table.size, [userId])) ?? { count: 0, characters: 0 };
  }

  async byId(id: number): Promise<D | undefined> {
    return this.connection.one(this.table.mapping, this.table.byId, [id]);
  }

  async remove(id: number): Promise<void> {
    await this.connection.run(this.table.remove, [id]);
  }

  async nextDue(): Promise<number | undefined> {
    return this.connection.value(this.table.nextDue);
  }

  async claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<D[]> {
    const { mapping, claim } = this.table;
    const claimed = await this.connection.many(mapping, claim, [nowMs, limit, leaseUntilMs]);
    return claimed.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.id - b.id);
  }

  async take({ id, revision }: Pick<D, 'id' | 'revision'>): Promise<boolean> {
    return (await this.connection.run(this.table.take, [id, revision])) > 0;
  }

  async fail({ id, revision }: Pick<D, 'id' | 'revision'>, failure: string): Promise<boolean> {
    return (await this.connection.run(this.table.fail, [failure, id, revision])) > 0;
  }
}

const SCHEDULED_MESSAGES = deliveryTable(
  'scheduled_messages',
  'sender_id',
  record<ScheduledMessage>({
    id: 'integer',
    sender_id: 'integer',
    channel_id: 'integer',
    recipient_ids: 'json',
    topic: 'text',
    content: 'text',
    rendered_content: 'text',
    client: 'text',
    read_by_sender: 'boolean',
    scheduled_delivery_timestamp: 'integer',
    failure: 'text',
    revision: 'integer',
  }),
);
const replace = (assignments: string) => `
  UPDATE scheduled_messages SET ${assignments}, due_ms = ?, failure = NULL, revision = revision + 1 WHERE id = ?`;

export class SqlScheduledMessages extends SqlDeliveries<ScheduledMessage> implements ScheduledMessageStore {
  protected readonly table = SCHEDULED_MESSAGES;

  async replace(id: number, message: NewScheduledMessage): Promise<void> {
    this.connection.concurrency?.announceDueWork();
    const { text } = this.table.created.assignments(message);
    await this.connection.run(replace(text), [...valuesOf(this.table, message), id]);
  }
}

const REMINDERS = deliveryTable(
  'reminders',
  'user_id',
  record<Reminder>({
    id: 'integer',
    user_id: 'integer',
    message_id: 'integer',
    note: 'text',
    content: 'text',
    rendered_content: 'text',
    scheduled_delivery_timestamp: 'integer',
    failure: 'text',
    revision: 'integer',
  }),
);

export class SqlReminders extends SqlDeliveries<Reminder> {
  protected readonly table = REMINDERS;
}

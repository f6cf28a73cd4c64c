import type { NewScheduledMessage, ScheduledMessage, ScheduledMessageStore } from '../interface/scheduled-messages.ts';
import type { Connection } from './connection.ts';
import { deliveryStatements, SqlDeliveries } from './deliveries.ts';
import { record } from './record.ts';

const SCHEDULED_MESSAGE = record<ScheduledMessage>({
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
});
const NEW = SCHEDULED_MESSAGE.without('id', 'failure', 'revision');

const DELIVERIES = deliveryStatements('scheduled_messages', SCHEDULED_MESSAGE);
const INSERT = `
  INSERT INTO scheduled_messages (${NEW.columns}, due_ms, revision) VALUES (${NEW.places}, ?, 0) RETURNING id`;
const OF_SENDER = `
  SELECT ${SCHEDULED_MESSAGE.columns} FROM scheduled_messages
  WHERE sender_id = ? ORDER BY scheduled_delivery_timestamp, id`;
const SIZE = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content) + LENGTH(rendered_content)), 0) AS characters
  FROM scheduled_messages WHERE sender_id = ?`;
const BY_ID = `SELECT ${SCHEDULED_MESSAGE.columns} FROM scheduled_messages WHERE id = ?`;
const replace = (assignments: string) => `
  UPDATE scheduled_messages SET ${assignments}, due_ms = ?, failure = NULL, revision = revision + 1 WHERE id = ?`;
const REMOVE = 'DELETE FROM scheduled_messages WHERE id = ?';

export class SqlScheduledMessages extends SqlDeliveries<ScheduledMessage> implements ScheduledMessageStore {
  constructor(connection: Connection) {
    super(connection, SCHEDULED_MESSAGE, DELIVERIES);
  }

  async create(message: NewScheduledMessage): Promise<number> {
    this.connection.concurrency?.announceDueWork();
    return this.connection.insert(INSERT, [...NEW.values(message), message.scheduled_delivery_timestamp * 1000]);
  }

  async ofSender(userId: number): Promise<ScheduledMessage[]> {
    return this.connection.many(SCHEDULED_MESSAGE, OF_SENDER, [userId]);
  }

  async size(userId: number): Promise<{ count: number; characters: number }> {
    return (await this.connection.get(SIZE, [userId])) ?? { count: 0, characters: 0 };
  }

  async byId(id: number): Promise<ScheduledMessage | undefined> {
    return this.connection.one(SCHEDULED_MESSAGE, BY_ID, [id]);
  }

  async replace(id: number, message: NewScheduledMessage): Promise<void> {
    this.connection.concurrency?.announceDueWork();
    const { text } = NEW.assignments(message);
    await this.connection.run(replace(text), [...NEW.values(message), message.scheduled_delivery_timestamp * 1000, id]);
  }

  async remove(id: number): Promise<void> {
    await this.connection.run(REMOVE, [id]);
  }
}

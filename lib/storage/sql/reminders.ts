import type { NewReminder, Reminder, ReminderStore } from '../interface/reminders.ts';
import type { Connection } from './connection.ts';
import { deliveryStatements, SqlDeliveries } from './deliveries.ts';
import { record } from './record.ts';

const REMINDER = record<Reminder>({
  id: 'integer',
  user_id: 'integer',
  message_id: 'integer',
  note: 'text',
  content: 'text',
  rendered_content: 'text',
  scheduled_delivery_timestamp: 'integer',
  failure: 'text',
  revision: 'integer',
});
const NEW = REMINDER.without('id', 'failure', 'revision');

const DELIVERIES = deliveryStatements('reminders', REMINDER);
const INSERT = `INSERT INTO reminders (${NEW.columns}, due_ms, revision) VALUES (${NEW.places}, ?, 0) RETURNING id`;
const OF_USER = `
  SELECT ${REMINDER.columns} FROM reminders WHERE user_id = ? ORDER BY scheduled_delivery_timestamp, id`;
const SIZE = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content) + LENGTH(rendered_content)), 0) AS characters
  FROM reminders WHERE user_id = ?`;
const BY_ID = `SELECT ${REMINDER.columns} FROM reminders WHERE id = ?`;
const REMOVE = 'DELETE FROM reminders WHERE id = ?';

export class SqlReminders extends SqlDeliveries<Reminder> implements ReminderStore {
  constructor(connection: Connection) {
    super(connection, REMINDER, DELIVERIES);
  }

  async create(reminder: NewReminder): Promise<number> {
    this.connection.concurrency?.announceDueWork();
    return this.connection.insert(INSERT, [...NEW.values(reminder), reminder.scheduled_delivery_timestamp * 1000]);
  }

  async ofUser(userId: number): Promise<Reminder[]> {
    return this.connection.many(REMINDER, OF_USER, [userId]);
  }

  async size(userId: number): Promise<{ count: number; characters: number }> {
    return (await this.connection.get(SIZE, [userId])) ?? { count: 0, characters: 0 };
  }

  async byId(id: number): Promise<Reminder | undefined> {
    return this.connection.one(REMINDER, BY_ID, [id]);
  }

  async remove(id: number): Promise<void> {
    await this.connection.run(REMOVE, [id]);
  }
}

import type { Reminder } from '../interface/reminders.ts';
import type { Connection } from './connection.ts';
import { deliveryTable, SqlDeliveries } from './deliveries.ts';
import { record } from './record.ts';

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
  constructor(connection: Connection) {
    super(connection, REMINDERS);
  }
}

import type { NewScheduledMessage, ScheduledMessage, ScheduledMessageStore } from '../interface/scheduled-messages.ts';
import type { Connection } from './connection.ts';
import { deliveryTable, SqlDeliveries, valuesOf } from './deliveries.ts';
import { record } from './record.ts';

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
  constructor(connection: Connection) {
    super(connection, SCHEDULED_MESSAGES);
  }

  async replace(id: number, message: NewScheduledMessage): Promise<void> {
    this.connection.concurrency?.announceDueWork();
    const { text } = this.table.created.assignments(message);
    await this.connection.run(replace(text), [...valuesOf(this.table, message), id]);
  }
}

/**
 * Messages that wait to be sent, and reminders of messages. due_ms is the time, the end of the lease of whoever is
 * sending it, or null once it has failed. A revision rises with every claim and every change.
 */
export const scheduledMessages = `
CREATE TABLE scheduled_messages (
  id LOG_ID,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER REFERENCES channels (id),
  recipient_ids TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  client TEXT NOT NULL,
  read_by_sender INTEGER NOT NULL,
  scheduled_delivery_timestamp INTEGER NOT NULL,
  due_ms INTEGER,
  failure TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX scheduled_messages_by_due ON scheduled_messages (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX scheduled_messages_by_sender ON scheduled_messages (sender_id, scheduled_delivery_timestamp, id);
-- The message may be deleted meanwhile.
CREATE TABLE reminders (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  note TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  scheduled_delivery_timestamp INTEGER NOT NULL,
  due_ms INTEGER,
  failure TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_by_due ON reminders (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX reminders_by_user ON reminders (user_id, scheduled_delivery_timestamp, id);
`;

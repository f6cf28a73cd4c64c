/** Polls, to-do lists and their changes. Older processes delete messages without them, so the rows go by themselves. */
export const submessages = `
CREATE TABLE submessages (
  id LOG_ID,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX submessages_by_message ON submessages (message_id, id);
`;

/** Edits, moves and reactions. A move of a whole topic is one row here, whatever its length. */
export const messagesInFull = `
ALTER TABLE conversations ADD COLUMN moved_timestamp INTEGER;
ALTER TABLE conversations ADD COLUMN moved_up_to INTEGER;

-- With a message_id: an edit or a move of one message. Without: a move of everything in conversation_id
-- up to up_to_message_id. A message row that is part_of such a move stands in its place for that message.
CREATE TABLE edits (
  id LOG_ID,
  message_id INTEGER REFERENCES messages (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  prev_conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  up_to_message_id INTEGER,
  part_of INTEGER,
  editor_id INTEGER REFERENCES users (id),
  timestamp INTEGER NOT NULL,
  prev_content TEXT,
  prev_rendered_content TEXT,
  prev_topic TEXT,
  topic TEXT,
  prev_channel_id INTEGER,
  channel_id INTEGER
) STRICT;
CREATE INDEX edits_by_message ON edits (message_id, id) WHERE message_id IS NOT NULL;
CREATE INDEX edits_of_conversations ON edits (conversation_id, id) WHERE message_id IS NULL;
CREATE INDEX edits_into ON edits (conversation_id, id) WHERE conversation_id <> prev_conversation_id;
CREATE INDEX edits_out_of ON edits (prev_conversation_id, id) WHERE conversation_id <> prev_conversation_id;

CREATE TABLE reactions (
  id LOG_ID,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  reaction_type TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  UNIQUE (message_id, user_id, reaction_type, emoji_code)
) STRICT;

CREATE TABLE custom_emoji (
  id ID,
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users (id),
  source_url TEXT NOT NULL,
  still_url TEXT,
  deactivated INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX custom_emoji_in_use ON custom_emoji (name) WHERE deactivated = 0;

-- Who received a message and has left since.
CREATE INDEX periods_ended ON subscription_periods (channel_id, to_message_id) WHERE to_message_id IS NOT NULL;
`;

/** What somebody wants to see of a topic: muted, unmuted or followed. A topic of this name need not exist. */
export const userTopics = `
CREATE TABLE user_topics (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  topic_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  visibility_policy INTEGER NOT NULL,
  last_updated INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, topic_key)
) STRICT_PAIRS;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, topic_key, user_id);
`;

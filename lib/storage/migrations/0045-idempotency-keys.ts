/** Calls that can be repeated: what each was, and its answer. Kept for a day. */
export const idempotencyKeys = `
CREATE TABLE idempotency_keys (
  user_id INTEGER NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, operation, key)
) STRICT_PAIRS;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_ms);
`;

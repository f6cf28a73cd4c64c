/** Scheduled messages and reminders that were sent: deleting one succeeds, although its row is gone. */
export const sentDeliveries = `
CREATE TABLE sent_deliveries (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT_PAIRS;
`;

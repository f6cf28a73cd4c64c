/** Sent deliveries are forgotten after some time. Earlier rows are forgotten at once. */
export const sentTimes = `
ALTER TABLE sent_deliveries ADD COLUMN sent_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sent_deliveries_by_time ON sent_deliveries (kind, sent_ms);
`;

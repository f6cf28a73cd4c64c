/**
 * Which history of the database the log belongs to, and which places were lost when it went on from an older state:
 * a failover to a standby that lacked the last moments, or a restored backup. The log goes on behind them.
 */
export const logBreaks = `
ALTER TABLE event_log ADD COLUMN origin TEXT;
ALTER TABLE event_log ADD COLUMN lost_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_log ADD COLUMN lost_to INTEGER NOT NULL DEFAULT 0;
`;

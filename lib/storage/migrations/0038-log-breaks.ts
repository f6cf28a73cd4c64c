/**
 * The history that the log belongs to, and the places that were lost when it continued from an older state: after a
 * failover to a standby without the newest events, or from a restored backup. New events come after those places.
 */
export const logBreaks = `
ALTER TABLE event_log ADD COLUMN origin TEXT;
ALTER TABLE event_log ADD COLUMN lost_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_log ADD COLUMN lost_to INTEGER NOT NULL DEFAULT 0;
`;

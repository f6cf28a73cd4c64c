/**
 * How far programs have come that read all events, and up to where the log has been trimmed, so that whoever is
 * further behind is told. An older process would trim without a look at either.
 */
export const eventCursors = `
CREATE TABLE event_cursors (
  name TEXT NOT NULL PRIMARY KEY,
  position INTEGER NOT NULL,
  holder TEXT,
  lease_until_ms INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX event_cursors_by_position ON event_cursors (position);
-- One row.
CREATE TABLE event_log (
  id INTEGER NOT NULL PRIMARY KEY,
  trimmed_to INTEGER NOT NULL
) STRICT_PAIRS;
INSERT INTO event_log (id, trimmed_to) SELECT 1, COALESCE(MIN(seq), 1) - 1 FROM events;
`;
export const isBreaking = true;

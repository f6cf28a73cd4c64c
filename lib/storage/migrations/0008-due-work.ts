/** What the worker looks for is found by an index each; what was given up is kept for a limited time. */
export const dueWork = `
ALTER TABLE outbox ADD COLUMN given_up_ms INTEGER;
DROP INDEX outbox_by_due;
CREATE INDEX outbox_by_kind ON outbox (kind, due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX outbox_given_up ON outbox ((COALESCE(given_up_ms, created_ms)), id) WHERE due_ms IS NULL;
CREATE INDEX event_queues_by_acknowledged ON event_queues (acked_seq);
`;

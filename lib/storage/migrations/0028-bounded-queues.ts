/**
 * Types of events, so that a queue which wants few of them reads no others; absent in older events, and in those of
 * older processes. By how far they are acknowledged, the queues are found that hold back the log.
 */
export const boundedQueues = `
ALTER TABLE events ADD COLUMN type TEXT;
CREATE INDEX event_queues_by_acked ON event_queues (acked_seq);
`;

/** The process in which polls on a queue wait: another one that takes it over tells it so. */
export const queueHolders = `
ALTER TABLE event_queues ADD COLUMN holder TEXT;
`;

/** The channels to which the token of a queue is limited, as JSON. NULL: it is not limited. */
export const queuesOfRooms = `
ALTER TABLE event_queues ADD COLUMN rooms TEXT;
`;

/** Where to look for topics for which the floor of a subscription does not hold. */
export const floorlessRanges = `
CREATE INDEX read_ranges_floorless ON read_ranges (user_id, conversation_id) WHERE from_id < 0;
`;

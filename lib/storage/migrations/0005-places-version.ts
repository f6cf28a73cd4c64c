/** Lets a process keep in memory what it has read of channels, of who is subscribed, and of topics. */
export const placesVersion = `
ALTER TABLE organization ADD COLUMN places_version INTEGER NOT NULL DEFAULT 1;
`;

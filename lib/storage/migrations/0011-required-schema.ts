/** The newest migration that a process must know to go on; it is read with the versions of every transaction. */
export const requiredSchema = `
ALTER TABLE organization ADD COLUMN required_schema INTEGER NOT NULL DEFAULT 0;
`;

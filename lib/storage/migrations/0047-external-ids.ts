/** IDs of the embedding program. */
export const externalIds = `
ALTER TABLE users ADD COLUMN external_id TEXT;
ALTER TABLE channels ADD COLUMN external_id TEXT;
ALTER TABLE user_groups ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX users_by_external_id ON users (external_id);
CREATE UNIQUE INDEX channels_by_external_id ON channels (external_id);
CREATE UNIQUE INDEX user_groups_by_external_id ON user_groups (external_id);
`;

/** Groups are found by name whatever the collation of the database: in a Turkish one the lower case of I is no i. */
export const groupNames = `
DROP INDEX user_groups_by_folded_name;
CREATE INDEX user_groups_by_ascii_name ON user_groups (ASCII_LOWER(name));
`;

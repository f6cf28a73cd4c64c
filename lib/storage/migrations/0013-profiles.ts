import type { Filling } from './migration.ts';

/**
 * Custom profile fields, what people have there, and pictures of accounts. What somebody has is one text of
 * JSON with their account: nobody reads it but together with the account, and for all of them at once.
 */
export const profiles = `
CREATE TABLE profile_fields (
  id LOG_ID,
  type INTEGER NOT NULL,
  name TEXT NOT NULL,
  hint TEXT NOT NULL,
  field_data TEXT NOT NULL,
  display_in_profile_summary INTEGER NOT NULL,
  required INTEGER NOT NULL,
  editable_by_user INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;

ALTER TABLE users ADD COLUMN profile_data TEXT NOT NULL DEFAULT '{}';

CREATE TABLE avatar_images (
  file_name TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  bytes BYTES NOT NULL
) STRICT;
CREATE INDEX avatar_images_by_user ON avatar_images (user_id);
`;

const BATCH = 500;

/** Accounts had Gravatar addresses without anybody having asked for it: they get a picture of our own. */
export const fillProfiles: Filling = {
  goesThrough: ['users'],
  async some(connection, after) {
    const newest = (await connection.get<{ id: number | null }>('SELECT MAX(id) AS id FROM users'))?.id ?? 0;
    if (newest <= after) return undefined;
    const to = Math.min(newest, after + BATCH);
    await connection.run('UPDATE organization SET users_version = users_version + 1 WHERE id = 1');
    await connection.run(
      `UPDATE users SET avatar_source = 'J', version = COALESCE((SELECT users_version FROM organization WHERE id = 1), 1)
       WHERE id > ? AND id <= ? AND avatar_source = 'G'`,
      [after, to],
    );
    return { to, total: newest };
  },
};

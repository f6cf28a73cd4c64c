import { nameKey } from '../../rules/fold.ts';
import type { Filling } from './migration.ts';

/**
 * How many people are subscribed is kept with a channel, since lists of channels say so of each. Accounts are found
 * by name and role, and groups and channels by what refers to accounts, without a look at all others. An older
 * process would not count on.
 */
export const subscriberCounts = `
ALTER TABLE channels ADD COLUMN subscriber_count INTEGER NOT NULL DEFAULT 0;
UPDATE channels SET subscriber_count = counted.n FROM (
  SELECT s.channel_id AS id, COUNT(*) AS n FROM subscriptions s JOIN users u ON u.id = s.user_id
  WHERE s.active = 1 AND u.is_active = 1 GROUP BY s.channel_id) AS counted
WHERE channels.id = counted.id;
CREATE INDEX channels_with_settings ON channels (id) WHERE settings <> '{}';
CREATE INDEX channels_by_creator ON channels (creator_id);
CREATE INDEX channels_by_folder ON channels (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX channels_default ON channels (id) WHERE is_default = 1;

-- Null until it is filled in.
ALTER TABLE users ADD COLUMN name_key TEXT;
CREATE INDEX users_by_name ON users (name_key);
CREATE INDEX users_by_role ON users (role, id) WHERE is_active = 1 AND is_system_bot = 0;
CREATE INDEX users_inactive ON users (id) WHERE is_active = 0;
CREATE INDEX users_by_email_visibility ON users (email_visibility, id);
CREATE INDEX users_by_joining ON users (joined_ms);
CREATE INDEX users_that_are_bots ON users (id) WHERE bot_type IS NOT NULL;

CREATE INDEX subscription_periods_by_channel ON subscription_periods (channel_id, user_id);

CREATE INDEX user_groups_by_folded_name ON user_groups (lower(name));
CREATE INDEX user_groups_beyond_ascii ON user_groups (id) WHERE octet_length(name) <> length(name);
CREATE INDEX user_groups_with_settings ON user_groups (id) WHERE settings <> '{}';
CREATE INDEX user_groups_by_creator ON user_groups (creator_id);
CREATE INDEX user_groups_of_people ON user_groups (id) WHERE is_system_group = 0;
`;
export const isBreaking = true;

const BATCH = 500;

export const fillSubscriberCounts: Filling = {
  goesThrough: ['users'],
  async some(connection, after) {
    const rows = await connection.all<{ id: number; full_name: string; newest: number }>(
      'SELECT id, full_name, (SELECT MAX(id) FROM users) AS newest FROM users WHERE id > ? ORDER BY id LIMIT ?',
      [after, BATCH],
    );
    const last = rows.at(-1);
    if (!last) return undefined;
    await connection.run('UPDATE users SET name_key = filled.c FROM PAIRS(?) AS filled WHERE users.id = filled.a', [
      JSON.stringify(rows.map(({ id, full_name }) => [id, 0, nameKey(full_name)])),
    ]);
    return { to: last.id, total: last.newest };
  },
};

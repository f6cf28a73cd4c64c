import type { Presence, UserStatus } from '../../model/users.ts';
import type { PresenceStore, UserStatusStore } from '../interface/presences.ts';
import { record } from './record.ts';
import { type Queries, value } from './store.ts';

const PRESENCE = record<Presence>({
  user_id: 'integer',
  active_ms: 'integer',
  connected_ms: 'integer',
  update_id: 'integer',
});

// The row stays locked until the commit, so that IDs become visible in order.
const nextId = value('UPDATE presence_updates SET update_id = update_id + 1 WHERE id = 1 RETURNING update_id');
const RECORD_PRESENCES = `
  INSERT INTO presences (user_id, connected_ms, active_ms, update_id)
  SELECT p.a, p.b, CAST(p.c AS BIGINT), CAST(? AS BIGINT) FROM PAIRS(?) AS p WHERE 1 = 1
  ON CONFLICT (user_id) DO UPDATE SET
    connected_ms = CASE WHEN excluded.connected_ms > presences.connected_ms
      THEN excluded.connected_ms ELSE presences.connected_ms END,
    active_ms = CASE WHEN excluded.active_ms > COALESCE(presences.active_ms, 0)
      THEN excluded.active_ms ELSE presences.active_ms END,
    update_id = excluded.update_id
  WHERE excluded.connected_ms > presences.connected_ms OR excluded.active_ms > COALESCE(presences.active_ms, 0)`;
const REPLACE_PRESENCE = `
  INSERT INTO presences (${PRESENCE.columns}) VALUES (${PRESENCE.places})
  ON CONFLICT (user_id) DO UPDATE SET
    active_ms = excluded.active_ms, connected_ms = excluded.connected_ms, update_id = excluded.update_id`;

export const presences: Queries<PresenceStore> = {
  of: PRESENCE.one(`SELECT ${PRESENCE.columns} FROM presences WHERE user_id = ?`),
  changedSince: PRESENCE.many(
    `SELECT ${PRESENCE.columns} FROM presences WHERE update_id > ? ORDER BY update_id, user_id`,
  ),

  async record(connection, seen) {
    if (seen.length === 0) return;
    const rows = seen.map(({ user_id, connected_ms, active_ms }) => [user_id, connected_ms, active_ms]);
    await connection.run(RECORD_PRESENCES, [(await nextId(connection)) as number, JSON.stringify(rows)]);
  },

  async replace(connection, seen) {
    const update_id = (await nextId(connection)) as number;
    await connection.run(REPLACE_PRESENCE, PRESENCE.values({ ...seen, update_id }));
  },
};

const STATUS = record<UserStatus>({
  user_id: 'integer',
  status_text: 'text',
  emoji_name: 'text',
  emoji_code: 'text',
  reaction_type: 'text',
});

const SET_STATUS = `
  INSERT INTO user_statuses (${STATUS.columns}) VALUES (${STATUS.places})
  ON CONFLICT (user_id) DO UPDATE SET status_text = excluded.status_text, emoji_name = excluded.emoji_name,
    emoji_code = excluded.emoji_code, reaction_type = excluded.reaction_type`;

export const userStatuses: Queries<UserStatusStore> = {
  all: STATUS.many(`SELECT ${STATUS.columns} FROM user_statuses ORDER BY user_id`),
  of: STATUS.many(`SELECT ${STATUS.columns} FROM user_statuses WHERE user_id IN_IDS(?) ORDER BY user_id`),

  async set(connection, status) {
    if (status.status_text === '' && status.emoji_name === '')
      await connection.run('DELETE FROM user_statuses WHERE user_id = ?', [status.user_id]);
    else await connection.run(SET_STATUS, STATUS.values(status));
  },
};

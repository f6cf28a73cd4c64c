import type { LastPresence, Presence, PresenceStore } from '../interface/presences.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const PRESENCE = record<Presence>({
  user_id: 'integer',
  active_ms: 'integer',
  connected_ms: 'integer',
  update_id: 'integer',
});

const OF = `SELECT ${PRESENCE.columns} FROM presences WHERE user_id = ?`;
const CHANGED_SINCE = `SELECT ${PRESENCE.columns} FROM presences WHERE update_id > ? ORDER BY update_id, user_id`;
// The row stays locked until the commit, so that IDs become visible in order.
const NEXT_ID = 'UPDATE presence_updates SET update_id = update_id + 1 WHERE id = 1 RETURNING update_id';
const RECORD = `
  INSERT INTO presences (user_id, connected_ms, active_ms, update_id)
  SELECT p.a, p.b, CAST(p.c AS BIGINT), CAST(? AS BIGINT) FROM PAIRS(?) AS p WHERE 1 = 1
  ON CONFLICT (user_id) DO UPDATE SET
    connected_ms = CASE WHEN excluded.connected_ms > presences.connected_ms
      THEN excluded.connected_ms ELSE presences.connected_ms END,
    active_ms = CASE WHEN excluded.active_ms > COALESCE(presences.active_ms, 0)
      THEN excluded.active_ms ELSE presences.active_ms END,
    update_id = excluded.update_id
  WHERE excluded.connected_ms > presences.connected_ms OR excluded.active_ms > COALESCE(presences.active_ms, 0)`;
const REPLACE = `
  INSERT INTO presences (${PRESENCE.columns}) VALUES (${PRESENCE.places})
  ON CONFLICT (user_id) DO UPDATE SET
    active_ms = excluded.active_ms, connected_ms = excluded.connected_ms, update_id = excluded.update_id`;

export class SqlPresences extends SqlStore implements PresenceStore {
  async of(userId: number): Promise<Presence | undefined> {
    return this.connection.one(PRESENCE, OF, [userId]);
  }

  async changedSince(updateId: number): Promise<Presence[]> {
    return this.connection.many(PRESENCE, CHANGED_SINCE, [updateId]);
  }

  async record(seen: readonly LastPresence[]): Promise<void> {
    if (seen.length === 0) return;
    const rows = seen.map(({ user_id, connected_ms, active_ms }) => [user_id, connected_ms, active_ms]);
    await this.connection.run(RECORD, [await this.#nextId(), JSON.stringify(rows)]);
  }

  async replace(seen: LastPresence): Promise<void> {
    await this.connection.run(REPLACE, PRESENCE.values({ ...seen, update_id: await this.#nextId() }));
  }

  async #nextId(): Promise<number> {
    const row = await this.connection.get<{ update_id: number }>(NEXT_ID);
    if (!row) throw new Error('The counter of presence updates is missing.');
    return row.update_id;
  }
}

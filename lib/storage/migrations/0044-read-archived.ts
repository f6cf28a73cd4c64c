import { subscriptions } from '../sql/channels.ts';
import type { Filling } from './migration.ts';

/** Channels that were archived earlier have no unread messages either. */
export const readArchived = '';

export const fillReadArchived: Filling = {
  goesThrough: ['channels'],
  perSecond: 100,
  async some(connection, after) {
    const next = await connection.get<{ id: number; newest: number }>(
      `SELECT id, (SELECT MAX(id) FROM channels) AS newest FROM channels
       WHERE is_archived = 1 AND id > ? ORDER BY id LIMIT 1`,
      [after],
    );
    if (!next) return undefined;
    await subscriptions.readAll(connection, next.id);
    return { to: next.id, total: next.newest };
  },
};

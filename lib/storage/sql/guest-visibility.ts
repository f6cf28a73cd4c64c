import type { GuestVisibilityStore } from '../interface/guest-visibility.ts';
import { SqlStore } from './connection.ts';

const VISIBLE = `
  SELECT u.id FROM users u WHERE u.bot_type IS NOT NULL
  UNION
  SELECT o.user_id FROM subscriptions g
  JOIN subscriptions o ON o.channel_id = g.channel_id AND o.active = 1
  JOIN users u ON u.id = o.user_id AND u.is_active = 1
  WHERE g.user_id = ? AND g.active = 1
  UNION
  SELECT o.user_id FROM conversation_participants g
  JOIN conversation_participants o ON o.conversation_id = g.conversation_id
  WHERE g.user_id = ?`;
const BETWEEN = `
  SELECT g.user_id AS guest_id, o.user_id FROM subscriptions g
  JOIN subscriptions o ON o.channel_id = g.channel_id AND o.active = 1
  JOIN users u ON u.id = o.user_id AND u.is_active = 1
  WHERE g.user_id IN_IDS(?) AND g.active = 1 AND o.user_id IN_IDS(?) AND o.user_id <> g.user_id
  UNION
  SELECT g.user_id, o.user_id FROM conversation_participants g
  JOIN conversation_participants o ON o.conversation_id = g.conversation_id
  WHERE g.user_id IN_IDS(?) AND o.user_id IN_IDS(?) AND o.user_id <> g.user_id`;

export class SqlGuestVisibility extends SqlStore implements GuestVisibilityStore {
  async visibleTo(guestId: number): Promise<number[]> {
    return this.connection.column(VISIBLE, [guestId, guestId]);
  }

  async between(
    guestIds: readonly number[],
    userIds: readonly number[],
  ): Promise<{ guest_id: number; user_id: number }[]> {
    if (guestIds.length === 0 || userIds.length === 0) return [];
    const [guests, users] = [JSON.stringify(guestIds), JSON.stringify(userIds)];
    const rows = await this.connection.all<{ guest_id: number; user_id: number }>(BETWEEN, [
      ...[guests, users],
      ...[guests, users],
    ]);
    return rows.map(({ guest_id, user_id }) => ({ guest_id, user_id }));
  }
}

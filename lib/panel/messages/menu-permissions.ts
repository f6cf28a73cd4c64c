/** Which actions the menu of a message offers beside those of `permissions.ts`. It loads with the menu. */
import type { Message } from '../../client/store/types.ts';
import { type Circumstances, isOwn, isWithin } from './permissions.ts';

const MODERATOR = 300;

export function mayDelete(message: Message, { me, organization, channel, now }: Circumstances): boolean {
  if (!organization || channel?.is_archived) return false;
  if (me?.is_admin) return true;
  return isOwn(message, me) && isWithin(message, organization.realm_message_content_delete_limit_seconds, now);
}

export function mayMove(message: Message, { me, organization, channel, now }: Circumstances): boolean {
  if (!('topic' in message.place) || !organization || !me || me.is_guest || channel?.is_archived) return false;
  if (me.role <= MODERATOR) return true;
  const limits = [
    organization.realm_move_messages_within_stream_limit_seconds,
    organization.realm_move_messages_between_streams_limit_seconds,
  ];
  return limits.some((limit) => isWithin(message, limit, now));
}

export const maySeeHistory = (message: Message, { organization }: Circumstances) =>
  (message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined) &&
  organization !== undefined &&
  organization.realm_message_edit_history_visibility_policy !== 'none';

export const maySeeReaders = ({ organization }: Circumstances) => organization?.realm_enable_read_receipts === true;

/**
 * Which actions a message offers. The server decides in the end: what depends on groups of the organization is offered
 * and may be refused.
 */
import type { Channel, Me, Message, Organization } from '../../client/store/types.ts';

const MODERATOR = 300;

export interface Circumstances {
  readonly me: Me | undefined;
  readonly organization: Organization | undefined;
  readonly channel: Channel | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `null`: no limit. The server allows some more seconds. */
const isWithin = (message: Message, limit: number | null, now: number) =>
  limit === null || now / 1000 - message.timestamp < limit;

export const isOwn = (message: Message, me: Me | undefined) => message.sender_id === me?.user_id;

export function mayEdit(message: Message, { me, organization, channel, now }: Circumstances): boolean {
  if (!organization?.realm_allow_message_editing || channel?.is_archived) return false;
  return isOwn(message, me) && isWithin(message, organization.realm_message_content_edit_limit_seconds, now);
}

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

/**
 * Which actions a message offers. The server decides in the end: what depends on groups of the organization is offered
 * and may be refused.
 */
import type { Channel, ChatStore, Me, Message, Organization } from '../../client/store/types.ts';

export interface Circumstances {
  readonly me: Me | undefined;
  readonly organization: Organization | undefined;
  readonly channel: Channel | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `null`: no limit. The server allows some more seconds. */
export const isWithin = (message: Message, limit: number | null, now: number) =>
  limit === null || now / 1000 - message.timestamp < limit;

export const isOwn = (message: Message, me: Me | undefined) => message.sender_id === me?.user_id;

export function mayEdit(message: Message, { me, organization, channel, now }: Circumstances): boolean {
  if (!organization?.realm_allow_message_editing || channel?.is_archived) return false;
  return isOwn(message, me) && isWithin(message, organization.realm_message_content_edit_limit_seconds, now);
}

export const circumstancesOf = ({ place }: Message, store: ChatStore): Circumstances => ({
  me: store.me.get(),
  organization: store.organization.get(),
  channel: 'channelId' in place ? store.channels.get().get(place.channelId) : undefined,
  now: store.now(),
});

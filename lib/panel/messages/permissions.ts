/**
 * Which actions a message offers. The server decides in the end: what depends on groups of the organization is offered
 * and may be refused.
 */
import type { Channel, Me, Message, Organization, Person, Place } from '../../client/store/types.ts';

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

/** Groups that follow from roles, by ID, with the lowest role of their members. Full members also need an age. */
export const ROLE_GROUPS: Readonly<Record<number, number>> = { 2: 100, 3: 200, 4: 300, 6: 400, 7: 600, 8: 600 };

type GroupSetting = number | { readonly direct_members: number[]; readonly direct_subgroups: number[] } | undefined;

/** Whether the value of a permission includes the account, as far as its role and its ID show. */
function isGranted(value: GroupSetting, me: Me): boolean {
  if (typeof value === 'number') return me.role <= (ROLE_GROUPS[value] ?? 0);
  return value?.direct_members.includes(me.user_id) === true;
}

interface WritingCircumstances extends Pick<Circumstances, 'me' | 'organization' | 'channel'> {
  /** Of a direct conversation. */
  readonly recipients: readonly (Person | undefined)[];
}

/** Whether the state shows that the server accepts messages in this place. If not, only the server knows. */
export function isOpenToWrite(place: Place, given: WritingCircumstances): boolean {
  const { me, organization, channel, recipients } = given;
  if (!me || !organization) return false;
  if ('userIds' in place) {
    const { realm_direct_message_permission_group: permission, realm_direct_message_initiator_group: initiator } =
      organization;
    return recipients.every((user) => user?.is_active) && isGranted(permission, me) && isGranted(initiator, me);
  }
  if (!channel || channel.is_archived || !isGranted(channel.can_send_message_group, me)) return false;
  const policy = channel.topics_policy === 'inherit' ? organization.realm_topics_policy : channel.topics_policy;
  if (policy === (place.topic === '' ? 'disable_empty_topic' : 'empty_topic_only')) return false;
  return channel.is_subscribed || (!channel.invite_only && !me.is_guest);
}

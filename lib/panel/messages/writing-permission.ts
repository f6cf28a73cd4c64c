/** Whether the user may write in a place, and why not. */
import type { Person, Place } from '../../client/store/types.ts';
import { useCell, usePeople } from '../context.ts';
import { isGranted, useDecision } from '../refusal.ts';
import { useDeferred } from '../words/deferred-words.ts';
import type { Circumstances } from './permissions.ts';

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

/** Settings that decide who may write. When another one changes, thousands of open panels must not all ask again. */
const WRITING_RULES = /^can_|is_archived|is_subscribed|invite_only|direct_message|topics/;
const rulesOf = (record: object = {}) =>
  JSON.stringify(Object.entries(record).filter(([name]) => WRITING_RULES.test(name)));

/**
 * Why the user cannot write in a place. Undefined if they can, and until the server has answered. Asks the server only if
 * the state does not show that they can: then it knows the reason.
 */
export function useRefusal(place: Place): string | undefined {
  const { store, words } = useDeferred();
  const me = useCell(store.me);
  const organization = useCell(store.organization);
  const channels = useCell(store.channels);
  const userIds = 'userIds' in place ? place.userIds : [];
  const recipients = usePeople(userIds);
  const channel = 'topic' in place ? channels.get(place.channelId) : undefined;
  const gone = recipients.find((person) => person?.is_active === false);
  const isFetching = recipients.some((person) => person === undefined);
  const isOpen = isFetching || isOpenToWrite(place, { me, organization, channel, recipients });
  const address =
    'topic' in place
      ? { type: 'channel', to: place.channelId, topic: place.topic }
      : { type: 'direct', to: userIds.length > 0 ? userIds : [me?.user_id] };
  const keys = [me?.role, rulesOf(organization), rulesOf(channel)];
  const refusal = useDecision('messages.send', !isOpen && !gone && { ...address, content: '.' }, keys)?.refusal;
  if (gone) return words.refusedByDeactivation(gone.full_name);
  return refusal?.code === 'STREAM_DOES_NOT_EXIST' ? words.refusedChannel : refusal?.msg;
}

/** Conversations by their newest message. */
import type { Channel, Message, Place } from '../../client/store/types.ts';
import { placesKey } from '../messages/places.ts';

export interface RecentConversation {
  readonly key: string;
  readonly place: Place;
  readonly last: Message;
  /** Who wrote there lately, the last one first. */
  readonly participants: readonly Pick<Message, 'sender_id' | 'sender_full_name' | 'avatar_url'>[];
}

/** Of `policy`. */
const MUTED = 1;

interface Settings {
  readonly channels: ReadonlyMap<number, Channel>;
  readonly mutedUsers: ReadonlySet<number>;
  /** The own policy of a topic: 0 none, 1 muted, 2 unmuted, 3 followed. */
  policy(channelId: number, topic: string): number;
}

/** @param messages of all conversations, in ascending order. Leaves out muted topics and messages of muted users */
export function recentConversations(messages: readonly Message[], settings: Settings): readonly RecentConversation[] {
  const found = new Map<string, RecentConversation & { participants: RecentConversation['participants'][number][] }>();
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    const { place, sender_id } = message;
    if (settings.mutedUsers.has(sender_id)) continue;
    const key = placesKey(place);
    const known = found.get(key);
    if (known) {
      if (!known.participants.some((other) => other.sender_id === sender_id)) known.participants.push(message);
    } else if (!isMuted(place, settings)) found.set(key, { key, place, last: message, participants: [message] });
  }
  return [...found.values()];
}

/** The policy of a topic comes before the setting of its channel. */
function isMuted(place: Place, { channels, policy }: Settings): boolean {
  if (!('topic' in place)) return false;
  const own = policy(place.channelId, place.topic);
  return own === 0 ? channels.get(place.channelId)?.is_muted === true : own === MUTED;
}

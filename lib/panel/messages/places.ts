/** Names and keys of places and lists. */
import type { Channel, Narrow, Person, Place } from '../../client/store/types.ts';
import type { Panel } from '../context.ts';
import type { ConversationWords } from '../words/conversation-words.ts';

/** The same text for the same list. Topics compare without case. */
export function placesKey(narrow: Narrow): string {
  if ('topic' in narrow) return `topic ${narrow.channelId} ${narrow.topic.toLowerCase()}`;
  if ('channelId' in narrow) return `channel ${narrow.channelId}`;
  if ('userIds' in narrow) return `direct ${narrow.userIds.join()}`;
  if ('view' in narrow) return narrow.view;
  return `search ${JSON.stringify(narrow.search)}`;
}

export const isPlace = (narrow: Narrow): narrow is Place => 'topic' in narrow || 'userIds' in narrow;

/** A channel whose only topic is the empty one, such as a room. It is one conversation, with the name of the channel. */
export const isWithoutTopics = (channel: Channel | undefined) => channel?.topics_policy === 'empty_topic_only';

/** The topic as shown: messages without a topic have a name of their own. */
export const topicName = (topic: string, words: ConversationWords) => topic || words.noTopic;

export const channelName = (channels: ReadonlyMap<number, Channel>, channelId: number) =>
  channels.get(channelId)?.name ?? `${channelId}`;

export function personName({ is_unknown, is_active, full_name }: Person, words: ConversationWords): string {
  if (is_unknown) return words.unknownUser;
  return is_active === false ? words.deactivated(full_name) : full_name;
}

/** `Ada and Ben`. Leaves out names that the store does not know yet. */
export function peopleNames(people: readonly (Person | undefined)[], { words, formats }: Panel): string {
  if (people.length === 0) return words.notesToYourself;
  const names = people.flatMap((person) => (person ? [personName(person, words)] : []));
  return names.length > 0 ? formats.list(names) : '…';
}

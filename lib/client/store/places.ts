import type { ChatEvent } from '../../chat/session.ts';
import type { DirectPlace, Narrow, Place, TopicPlace } from './types.ts';

export type WireMessage = Extract<ChatEvent, { type: 'message' }>['message'];

export const isTopicPlace = (place: Narrow): place is TopicPlace => 'topic' in place;
export const isDirectPlace = (place: Narrow): place is DirectPlace => 'userIds' in place;

/** Topics are compared without case. */
export const topicKey = (topic: string) => topic.normalize('NFC').toLowerCase();

/** Code points. */
const MAX_TOPIC = 60;
/** Names of the empty topic. */
const EMPTY_TOPIC = /^(\(no topic\)|general chat)$/;

/** The topic as the server stores it. */
export function storedTopic(given: string): string {
  const topic = given.trim().replace(EMPTY_TOPIC, '');
  const characters = [...topic];
  return characters.length > MAX_TOPIC ? `${characters.slice(0, MAX_TOPIC - 3).join('')}...` : topic;
}

/** As the server stores the topic and the participants: a message to another place would vanish from view. */
export function stored<N extends Narrow>(narrow: N, me: number): N {
  if (isTopicPlace(narrow)) return { ...narrow, topic: storedTopic(narrow.topic) };
  return isDirectPlace(narrow) ? { ...narrow, ...directPlace(narrow.userIds, me) } : narrow;
}

/** The same text for places that are the same. */
export function placeKey(place: Place): string {
  return isTopicPlace(place) ? `${place.channelId}:${topicKey(place.topic)}` : directKey(place.userIds);
}

export const directKey = (userIds: readonly number[]) => userIds.join();

const isSamePlace = (a: Place, b: Place) => placeKey(a) === placeKey(b);

export const ascending = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b);

/** The place of a direct conversation, from the participants, with or without the own account. */
export function directPlace(participants: Iterable<number>, me: number): DirectPlace {
  return { userIds: ascending(participants).filter((id) => id !== me) };
}

export function placeOf(message: WireMessage, me: number): Place {
  if (typeof message.display_recipient === 'string') {
    return { channelId: message.stream_id as number, topic: message.subject };
  }
  return directPlace(
    message.display_recipient.map(({ id }) => id),
    me,
  );
}

export type MoveEvent = Extract<ChatEvent, { type: 'update_message' }> & { stream_id: number; orig_subject: string };

export const isMove = (event: ChatEvent): event is MoveEvent =>
  event.type === 'update_message' && event.orig_subject !== undefined && event.stream_id !== undefined;

/** Where an event moves messages. `isWhole`: the whole topic. */
export function moveOf({ stream_id, new_stream_id, orig_subject, subject, propagate_mode }: MoveEvent) {
  const from: TopicPlace = { channelId: stream_id, topic: orig_subject };
  const to: TopicPlace = { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject };
  return { from, to, isWhole: propagate_mode === 'change_all' && !isSamePlace(from, to) };
}

type Term = { operator: string; operand: string | number | number[]; negated?: true };

/** The narrow as the API takes it. */
export function termsOf(narrow: Narrow, me: number): Term[] {
  if ('search' in narrow) {
    return narrow.search.map(([operator, operand]) => ({
      operator: operator.replace(/^-/, ''),
      operand: typeof operand === 'object' ? [...operand] : operand,
      ...(operator.startsWith('-') && { negated: true }),
    }));
  }
  if ('view' in narrow) {
    if (narrow.view === 'all') return [];
    return [{ operator: 'is', operand: narrow.view === 'starred' ? 'starred' : 'mentioned' }];
  }
  if (isDirectPlace(narrow)) {
    return [{ operator: 'dm', operand: narrow.userIds.length > 0 ? [...narrow.userIds] : [me] }];
  }
  const channel = { operator: 'channel', operand: narrow.channelId };
  return isTopicPlace(narrow) ? [channel, { operator: 'topic', operand: narrow.topic }] : [channel];
}

/**
 * Whether a list with this narrow has the message. Undefined for searches: only the server knows.
 * @param message without a place, if only flags changed: they bring no message to a place
 */
export function matches(
  narrow: Narrow,
  { place, flags }: { readonly place?: Place; readonly flags: ReadonlySet<string> },
  isSubscribed: (channelId: number) => boolean,
): boolean | undefined {
  if ('search' in narrow) return undefined;
  if ('view' in narrow && narrow.view === 'starred') return flags.has('starred');
  if ('view' in narrow && narrow.view === 'mentions') return isMention(flags);
  if (!place) return false;
  if ('view' in narrow) return !isTopicPlace(place) || (isSubscribed(place.channelId) && !flags.has('historical'));
  if (isTopicPlace(narrow) || isDirectPlace(narrow)) return isSamePlace(narrow, place);
  return isTopicPlace(place) && place.channelId === narrow.channelId;
}

/** Whether one of the flags says that the message mentions the user, alone or with a wildcard. */
export const isMention = (flags: Iterable<string>) => [...flags].some((flag) => flag.endsWith('mentioned'));

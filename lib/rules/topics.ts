import { BadRequest } from '../kernel/errors.ts';
import { codePoints } from '../kernel/schemas.ts';
import { MAX_TOPIC_LENGTH, unprintableAt } from './names.ts';

const ELLIPSIS = '...';

/**
 * Normalizes a topic as it is stored. Trims it, cuts it to the maximum length, and replaces `(no topic)` and the
 * display name of the empty topic with the empty topic.
 * @throws BadRequest for an unprintable character
 */
export function storedTopic(given: string, emptyTopicDisplayName: string): string {
  const bad = unprintableAt(given.trim());
  if (bad !== undefined) throw new BadRequest(`Character ${bad} of the topic is not allowed.`);
  return soughtTopic(given, emptyTopicDisplayName);
}

/** Normalizes a topic for a lookup. Does not throw: an invalid topic is simply not found. */
export function soughtTopic(given: string, emptyTopicDisplayName: string): string {
  return truncate(emptyTopicOf(given.trim(), emptyTopicDisplayName), MAX_TOPIC_LENGTH, ELLIPSIS);
}

/** The topic, or the empty topic for its display name. */
export function emptyTopicOf(topic: string, emptyTopicDisplayName: string): string {
  return topic === '(no topic)' || topic === emptyTopicDisplayName ? '' : topic;
}

/** Cuts a text to `max` code points, including `marker` at the end of a cut text. */
export function truncate(text: string, max: number, marker: string): string {
  if (text.length <= max || codePoints(text) <= max) return text;
  const kept = [...text].slice(0, max - codePoints(marker)).join('');
  return kept + marker;
}

/** The topic for a client. `allowEmpty`: the client has the capability `empty_topic_name`. */
export function shownTopic(topic: string, emptyTopicDisplayName: string, allowEmpty: boolean): string {
  return topic === '' && !allowEmpty ? emptyTopicDisplayName : topic;
}

/** Prefix of resolved topics. */
export const RESOLVED = '✔ ';

/** Whether the new topic only adds or only removes the prefix of resolved topics. */
export function resolveToggle(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  if (from !== '' && to === truncate(RESOLVED + from, MAX_TOPIC_LENGTH, ELLIPSIS)) return 'resolved';
  if (to !== '' && from === RESOLVED + to) return 'unresolved';
  return undefined;
}

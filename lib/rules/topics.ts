import { BadRequest } from '../kernel/errors.ts';
import { codePoints } from '../kernel/schemas.ts';
import { MAX_TOPIC_LENGTH, unprintableAt } from './names.ts';

const ELLIPSIS = '...';

/**
 * A topic as it is stored: trimmed; `(no topic)` and the empty-topic display name mean the empty topic;
 * too long ones are cut, not refused.
 * @throws BadRequest for a character that cannot be shown
 */
export function storedTopic(given: string, emptyTopicDisplayName: string): string {
  const bad = unprintableAt(given.trim());
  if (bad !== undefined) throw new BadRequest(`Character ${bad} of the topic cannot be used.`);
  return soughtTopic(given, emptyTopicDisplayName);
}

/** The topic that somebody looks for, as it would be stored; one that cannot be stored leads to nothing. */
export function soughtTopic(given: string, emptyTopicDisplayName: string): string {
  return truncate(emptyTopicOf(given.trim(), emptyTopicDisplayName), MAX_TOPIC_LENGTH, ELLIPSIS);
}

/** The topic itself, or the empty one where its display name is given. */
export function emptyTopicOf(topic: string, emptyTopicDisplayName: string): string {
  return topic === '(no topic)' || topic === emptyTopicDisplayName ? '' : topic;
}

/** At most `max` code points; what is cut ends in `marker`. */
export function truncate(text: string, max: number, marker: string): string {
  if (text.length <= max || codePoints(text) <= max) return text;
  const kept = [...text].slice(0, max - codePoints(marker)).join('');
  return kept + marker;
}

/** What clients without the capability `empty_topic_name` are shown. */
export function shownTopic(topic: string, emptyTopicDisplayName: string, allowEmpty: boolean): string {
  return topic === '' && !allowEmpty ? emptyTopicDisplayName : topic;
}

/** Before the name of a resolved topic. */
export const RESOLVED = '✔ ';

/** Whether a new topic only adds the mark of resolved topics, or only takes it away. */
export function resolveToggle(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  if (from !== '' && to === truncate(RESOLVED + from, MAX_TOPIC_LENGTH, ELLIPSIS)) return 'resolved';
  if (to !== '' && from === RESOLVED + to) return 'unresolved';
  return undefined;
}

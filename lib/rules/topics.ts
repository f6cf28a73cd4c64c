import { BadRequest } from '../base/errors.ts';
import { codePoints } from '../base/schemas.ts';
import type { Organization } from '../model/organization.ts';
import { isBlank, MAX_TOPIC_LENGTH, spelledName, unprintableAt } from './names.ts';
import { organizationSetting } from './organization-settings.ts';

/** The empty topic has a display name in each organization. */
type Naming = Pick<Organization, 'settings'>;

const ELLIPSIS = '...';

/** Whether to cut a text that is too long, instead of refusing it. */
export interface Truncation {
  truncate?: boolean | undefined;
}

/**
 * Normalizes a topic as it is stored: trimmed and in NFC. Replaces `(no topic)` and the display name of the empty topic
 * with the empty topic.
 * @throws BadRequest for an unprintable character, for a topic that shows nothing, or for one that is too long, without
 *   `truncate`
 */
export function storedTopic(given: string, organization: Naming, { truncate }: Truncation): string {
  const bad = unprintableAt(given.trim());
  if (bad !== undefined) throw new BadRequest(`Character ${bad} of the topic is not allowed.`);
  const topic = emptyTopicOf(spelledName(given), organization);
  if (topic !== '' && isBlank(topic)) throw new BadRequest('The topic has no visible character.');
  if (!truncate) checkLength('topic', topic, MAX_TOPIC_LENGTH);
  return searchedTopic(given, organization);
}

/** @throws BadRequest for a longer text */
export function checkLength(what: 'topic' | 'content', text: string, max: number): void {
  if (text.length <= max || codePoints(text) <= max) return;
  throw new BadRequest(`The ${what} is too long (limit: ${max} characters). Shorten it, or set truncate to cut it.`);
}

/** Normalizes a topic for a lookup. Does not throw: an invalid topic is simply not found. */
export function searchedTopic(given: string, organization: Naming): string {
  return truncate(emptyTopicOf(spelledName(given), organization), MAX_TOPIC_LENGTH, ELLIPSIS);
}

export function emptyTopicOf(topic: string, organization: Naming): string {
  return topic === '(no topic)' || topic === organizationSetting(organization, 'empty_topic_display_name') ? '' : topic;
}

/** Cuts a text to `max` code points, including `marker` at the end of a cut text. */
export function truncate(text: string, max: number, marker: string): string {
  if (text.length <= max || codePoints(text) <= max) return text;
  const kept = [...text].slice(0, max - codePoints(marker)).join('');
  return kept + marker;
}

/** The topic for clients without the capability `empty_topic_name`. */
export function shownTopic(topic: string, organization: Naming): string {
  return topic === '' ? organizationSetting(organization, 'empty_topic_display_name') : topic;
}

export const RESOLVED = '✔ ';

/** Whether the new topic only adds or only removes the prefix of resolved topics. */
export function resolveToggle(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  const before = spelledName(from);
  if (before !== '' && to === truncate(RESOLVED + before, MAX_TOPIC_LENGTH, ELLIPSIS)) return 'resolved';
  if (to !== '' && before === RESOLVED + to) return 'unresolved';
  return undefined;
}

/** 0: like the channel; 1: muted; 2: unmuted in a muted channel; 3: followed. */
export type VisibilityPolicy = 0 | 1 | 2 | 3;

export const INHERIT = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

/**
 * The action of a user in a topic. `starts` includes sending, and `sends` includes taking part. With `begins` the user
 * did nothing: a message of the user was moved and is now the first message of the topic.
 */
export type Participation = 'starts' | 'begins' | 'sends' | 'takes part';

/** When the policy changes automatically: 1 on taking part, 2 on sending, 3 on starting a topic, 4 never. */
export type AutomaticPolicy = 1 | 2 | 3 | 4;

/** Defaults: follow topics that the user starts, unmute topics in which the user sends. */
export const AUTOMATIC_POLICY_DEFAULTS = {
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  automatically_follow_topics_where_mentioned: true,
} as const;

const REACHES: Readonly<Record<Participation, readonly AutomaticPolicy[]>> = {
  starts: [1, 2, 3],
  begins: [3],
  sends: [1, 2],
  'takes part': [1],
};

/** Undefined if the policy does not change. The new policy never shows less than before. */
export function automaticPolicy(
  did: Participation,
  settings: { follow: AutomaticPolicy; unmute: AutomaticPolicy },
  present: { visibility_policy: VisibilityPolicy; is_channel_muted: boolean },
): typeof UNMUTED | typeof FOLLOWED | undefined {
  if (present.visibility_policy === FOLLOWED) return undefined;
  if (REACHES[did].includes(settings.follow)) return FOLLOWED;
  const unmutes = present.is_channel_muted && REACHES[did].includes(settings.unmute);
  return unmutes && present.visibility_policy !== UNMUTED ? UNMUTED : undefined;
}

export function mergedPolicy(a: VisibilityPolicy, b: VisibilityPolicy): VisibilityPolicy {
  return ([FOLLOWED, UNMUTED, INHERIT] as const).find((policy) => policy === a || policy === b) ?? MUTED;
}

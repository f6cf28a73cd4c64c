/** Which messages get a notification of the browser or a sound, by the settings of the user. */
import { isTopicPlace } from '../../client/store/places.ts';
import type { Channel, Message, OwnSettings, UnreadCounts } from '../../client/store/types.ts';

export interface Alert {
  readonly isShown: boolean;
  readonly hasSound: boolean;
}

/** Values of the policy of a topic. */
const NONE = 0;
const MUTED = 1;
const FOLLOWED = 3;

interface Circumstances {
  readonly settings: OwnSettings;
  /** Of a message in a topic. */
  readonly channel: Channel | undefined;
  readonly policy: number;
}

/** Settings of a channel take precedence over general ones. In muted topics, only mentions of the user count. */
export function alertFor({ place, flags }: Pick<Message, 'place' | 'flags'>, given: Circumstances): Alert {
  const { settings, channel, policy } = given;
  const isFollowed = policy === FOLLOWED;
  const isHeard = policy !== MUTED && (policy !== NONE || channel?.is_muted !== true);
  const heedsWildcards =
    (channel?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) ||
    (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify);
  const isForAll = isHeard && heedsWildcards && [...flags].some((flag) => flag.endsWith('wildcard_mentioned'));
  const isForMe = !isTopicPlace(place) || flags.has('mentioned') || isForAll;
  const isOfChannel = isHeard && isTopicPlace(place);
  return {
    isShown:
      (isForMe && settings.enable_desktop_notifications) ||
      (isFollowed && settings.enable_followed_topic_desktop_notifications) ||
      (isOfChannel && (channel?.desktop_notifications ?? settings.enable_stream_desktop_notifications)),
    hasSound:
      (isForMe && settings.enable_sounds) ||
      (isFollowed && settings.enable_followed_topic_audible_notifications) ||
      (isOfChannel && (channel?.audible_notifications ?? settings.enable_stream_audible_notifications)),
  };
}

/** Values of `desktop_icon_count_display`. */
const COUNTS_ALL = 1;
const COUNTS_FOLLOWED = 2;
const COUNTS_NONE = 4;

/** What the icon of the page counts. @param policyOf that of a topic */
export function iconCount(
  { total, direct, mentions, channels }: UnreadCounts,
  { desktop_icon_count_display: display }: Pick<OwnSettings, 'desktop_icon_count_display'>,
  policyOf: (channelId: number, topic: string) => number,
): number {
  if (display === COUNTS_ALL) return total;
  if (display === COUNTS_NONE) return 0;
  let followed = 0;
  if (display === COUNTS_FOLLOWED)
    // The mentions of a topic count already.
    for (const [channelId, { topics }] of channels)
      for (const { name, count, hasMention } of topics.values())
        if (!hasMention && policyOf(channelId, name) === FOLLOWED) followed += count;
  return direct + mentions + followed;
}

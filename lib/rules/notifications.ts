import { FOLLOWED, MUTED, UNMUTED, type VisibilityPolicy } from './topics.ts';

export const NOTIFICATION_DEFAULTS = {
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_audible_notifications: false,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
} as const;

type NotificationSetting = keyof typeof NOTIFICATION_DEFAULTS;

type NotificationSettings = { readonly [K in NotificationSetting]: boolean };

/** Why a message concerns a user. */
export type NotificationReason = 'direct message' | 'mention' | 'mention of all' | 'followed topic' | 'channel';

/** A message for one of its recipients. */
export interface NotificationFacts {
  is_mentioned: boolean;
  /** The message has a wildcard mention of the channel or topic. */
  is_mentioned_with_all: boolean;
  /** The user's policy of the topic; 0 in direct conversations. */
  visibility_policy: VisibilityPolicy;
  is_channel_muted: boolean;
  /** The user's settings for the channel; null: the personal setting applies. */
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface NotificationRecipient extends NotificationFacts {
  settings: NotificationSettings;
  is_bot: boolean;
  is_sender: boolean;
  has_muted_sender: boolean;
  is_away: boolean;
  is_direct: boolean;
}

/**
 * All reasons to notify a user of a message, the most important first. Each way of notification has its own settings of
 * which reasons count. Mentions of the user are reasons also in muted channels and topics; wildcard mentions are not.
 */
export function reasonsToNotify(recipient: NotificationRecipient): NotificationReason[] {
  if (recipient.is_bot || recipient.is_sender || recipient.has_muted_sender) return [];
  if (recipient.is_direct) return ['direct message'];
  const follows = recipient.visibility_policy === FOLLOWED;
  return [
    ...(recipient.is_mentioned ? (['mention'] as const) : []),
    ...(recipient.is_mentioned_with_all && heedsWildcards(recipient) ? (['mention of all'] as const) : []),
    ...(follows ? (['followed topic'] as const) : []),
    ...(isMuted(recipient) ? [] : (['channel'] as const)),
  ];
}

function heedsWildcards({ settings, ...recipient }: NotificationRecipient): boolean {
  const follows = recipient.visibility_policy === FOLLOWED;
  if (follows && settings.enable_followed_topic_wildcard_mentions_notify) return true;
  return !isMuted(recipient) && (recipient.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
}

function isMuted({ visibility_policy, is_channel_muted }: NotificationFacts): boolean {
  return visibility_policy === MUTED || (is_channel_muted && visibility_policy !== UNMUTED);
}

/** The settings by which a user chooses what one way of notification notifies of. */
export interface WaySettings {
  readonly mentions: NotificationSetting;
  readonly followedTopics: NotificationSetting;
  readonly channels: NotificationSetting;
  /** For one channel, instead of `channels`. */
  readonly ofChannel: 'push_notifications' | 'email_notifications';
  /** Also notifies users who are online. Absent: never. */
  readonly whileOnline?: NotificationSetting;
}

export const BY_PUSH: WaySettings = {
  mentions: 'enable_offline_push_notifications',
  followedTopics: 'enable_followed_topic_push_notifications',
  channels: 'enable_stream_push_notifications',
  ofChannel: 'push_notifications',
  whileOnline: 'enable_online_push_notifications',
};

export const BY_EMAIL: WaySettings = {
  mentions: 'enable_offline_email_notifications',
  followedTopics: 'enable_followed_topic_email_notifications',
  channels: 'enable_stream_email_notifications',
  ofChannel: 'email_notifications',
};

/** The reasons that count for one way of notification, the most important first. Empty: it does not notify. */
export function wantedReasons(
  recipient: NotificationRecipient,
  reasons: readonly NotificationReason[],
  way: WaySettings,
): NotificationReason[] {
  const { settings } = recipient;
  if (!recipient.is_away && !(way.whileOnline && settings[way.whileOnline])) return [];
  return reasons.filter((reason) => {
    if (reason === 'followed topic') return settings[way.followedTopics];
    if (reason === 'channel') return recipient[way.ofChannel] ?? settings[way.channels];
    return settings[way.mentions];
  });
}

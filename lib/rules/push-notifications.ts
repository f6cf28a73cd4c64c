import { FOLLOWED, MUTED, UNMUTED, type VisibilityPolicy } from './topics.ts';

export const NOTIFICATION_DEFAULTS = {
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_audible_notifications: false,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
} as const;

type NotificationSettings = { readonly [K in keyof typeof NOTIFICATION_DEFAULTS]: boolean };

export type PushTrigger = 'direct message' | 'mention' | 'mention of all' | 'followed topic' | 'channel';

export interface PushRecipient extends PushFacts {
  settings: NotificationSettings;
  is_bot: boolean;
  is_sender: boolean;
  has_muted_sender: boolean;
  is_away: boolean;
  is_direct: boolean;
}

/** A message for one of its recipients. */
export interface PushFacts {
  is_mentioned: boolean;
  /** The message has a wildcard mention of the channel or topic. */
  is_mentioned_with_all: boolean;
  /** The user's policy of the topic; 0 in direct conversations. */
  visibility_policy: VisibilityPolicy;
  is_channel_muted: boolean;
  /** The user's settings for the channel; null: the personal setting applies. */
  push_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

/**
 * The most important reason to notify a user of a message; undefined: no notification. Mentions of the user also notify
 * in muted channels and topics; wildcard mentions do not.
 */
export function pushTrigger(recipient: PushRecipient): PushTrigger | undefined {
  const { settings } = recipient;
  if (recipient.is_bot || recipient.is_sender || recipient.has_muted_sender) return undefined;
  if (!recipient.is_away && !settings.enable_online_push_notifications) return undefined;
  const wantsMentions = settings.enable_offline_push_notifications;
  if (recipient.is_direct) return wantsMentions ? 'direct message' : undefined;
  if (recipient.is_mentioned && wantsMentions) return 'mention';
  const follows = recipient.visibility_policy === FOLLOWED;
  if (recipient.is_mentioned_with_all && wantsMentions) {
    const isWanted = follows && settings.enable_followed_topic_wildcard_mentions_notify;
    if (
      isWanted ||
      (!isMuted(recipient) && (recipient.wildcard_mentions_notify ?? settings.wildcard_mentions_notify))
    ) {
      return 'mention of all';
    }
  }
  if (follows && settings.enable_followed_topic_push_notifications) return 'followed topic';
  const isWanted = recipient.push_notifications ?? settings.enable_stream_push_notifications;
  return isWanted && !isMuted(recipient) ? 'channel' : undefined;
}

function isMuted({ visibility_policy, is_channel_muted }: PushRecipient): boolean {
  return visibility_policy === MUTED || (is_channel_muted && visibility_policy !== UNMUTED);
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BY_EMAIL,
  BY_PUSH,
  NOTIFICATION_DEFAULTS,
  type NotificationReason,
  type NotificationRecipient,
  reasonsToNotify,
  type WaySettings,
  wantedReasons,
} from '../../lib/rules/notifications.ts';

/** A user who is away and received a channel message without a mention. */
const RECIPIENT: NotificationRecipient = {
  settings: NOTIFICATION_DEFAULTS,
  is_bot: false,
  is_sender: false,
  has_muted_sender: false,
  is_away: true,
  is_direct: false,
  is_mentioned: false,
  is_mentioned_with_all: false,
  visibility_policy: 0,
  is_channel_muted: false,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};

const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3] as const;
const settings = (changed: Partial<Record<keyof typeof NOTIFICATION_DEFAULTS, boolean>>) => ({
  settings: { ...NOTIFICATION_DEFAULTS, ...changed },
});
const noMentions = settings({ enable_offline_push_notifications: false });
const everything = settings({ enable_stream_push_notifications: true });

const CASES: [name: string, recipient: Partial<NotificationRecipient>, trigger: NotificationReason | undefined][] = [
  ['a channel message alone notifies no user', {}, undefined],
  ['a direct message notifies', { is_direct: true }, 'direct message'],
  ['a direct message does not notify if the setting is off', { is_direct: true, ...noMentions }, undefined],
  ['a mention notifies', { is_mentioned: true }, 'mention'],
  ['a mention notifies in a muted channel', { is_mentioned: true, is_channel_muted: true }, 'mention'],
  ['a mention notifies in a muted topic', { is_mentioned: true, visibility_policy: MUTED }, 'mention'],
  ['a mention does not notify if the setting is off', { is_mentioned: true, ...noMentions }, undefined],
  ['a mention in a followed topic counts as a mention', { is_mentioned: true, visibility_policy: FOLLOWED }, 'mention'],
  ['a mention of all notifies', { is_mentioned_with_all: true }, 'mention of all'],
  [
    'a mention of all does not notify in a muted channel',
    { is_mentioned_with_all: true, is_channel_muted: true },
    undefined,
  ],
  [
    'a mention of all does not notify in a muted topic',
    { is_mentioned_with_all: true, visibility_policy: MUTED },
    undefined,
  ],
  [
    'a mention of all notifies in an unmuted topic of a muted channel',
    { is_mentioned_with_all: true, is_channel_muted: true, visibility_policy: UNMUTED },
    'mention of all',
  ],
  [
    'a mention of all does not notify if the setting of the channel is off',
    { is_mentioned_with_all: true, wildcard_mentions_notify: false },
    undefined,
  ],
  [
    'a mention of all notifies if only the setting of the channel is on',
    { is_mentioned_with_all: true, wildcard_mentions_notify: true, ...settings({ wildcard_mentions_notify: false }) },
    'mention of all',
  ],
  [
    'a mention of all notifies in a followed topic if only its own setting is on',
    { is_mentioned_with_all: true, visibility_policy: FOLLOWED, ...settings({ wildcard_mentions_notify: false }) },
    'mention of all',
  ],
  [
    'a mention of all in a followed topic notifies as followed topic if mentions are off',
    { is_mentioned_with_all: true, visibility_policy: FOLLOWED, ...noMentions },
    'followed topic',
  ],
  ['a followed topic notifies', { visibility_policy: FOLLOWED }, 'followed topic'],
  [
    'a followed topic of a muted channel notifies',
    { visibility_policy: FOLLOWED, is_channel_muted: true },
    'followed topic',
  ],
  [
    'a followed topic does not notify if the setting is off',
    { visibility_policy: FOLLOWED, ...settings({ enable_followed_topic_push_notifications: false }) },
    undefined,
  ],
  [
    'a followed topic of a muted channel notifies by its own setting only',
    {
      visibility_policy: FOLLOWED,
      is_channel_muted: true,
      push_notifications: true,
      ...settings({ enable_followed_topic_push_notifications: false }),
    },
    undefined,
  ],
  [
    'a followed topic of a muted channel has its own setting for a mention of all too',
    {
      is_mentioned_with_all: true,
      visibility_policy: FOLLOWED,
      is_channel_muted: true,
      ...settings({
        enable_followed_topic_wildcard_mentions_notify: false,
        enable_followed_topic_push_notifications: false,
      }),
    },
    undefined,
  ],
  ['a channel notifies if the setting for all channels is on', everything, 'channel'],
  ['a channel notifies if its own setting is on', { push_notifications: true }, 'channel'],
  ['a channel does not notify if its own setting is off', { ...everything, push_notifications: false }, undefined],
  ['a muted channel does not notify', { push_notifications: true, is_channel_muted: true }, undefined],
  ['a muted topic does not notify', { push_notifications: true, visibility_policy: MUTED }, undefined],
  [
    'an unmuted topic of a muted channel notifies',
    { push_notifications: true, is_channel_muted: true, visibility_policy: UNMUTED },
    'channel',
  ],
  ['a user who is online is notified', { is_direct: true, is_away: false }, 'direct message'],
  [
    'a user who is online is not notified if the setting is off',
    { is_direct: true, is_away: false, ...settings({ enable_online_push_notifications: false }) },
    undefined,
  ],
  [
    'a user who is away is notified, whatever the setting for being online',
    { is_direct: true, ...settings({ enable_online_push_notifications: false }) },
    'direct message',
  ],
  ['the sender is not notified', { is_direct: true, is_sender: true }, undefined],
  ['a message of a muted user does not notify', { is_mentioned: true, has_muted_sender: true }, undefined],
  ['a bot is not notified', { is_direct: true, is_bot: true }, undefined],
];

/** What differs from push notifications. */
const BY_EMAIL_CASES: typeof CASES = [
  ['a channel message alone sends no user an e-mail', {}, undefined],
  ['a direct message sends an e-mail', { is_direct: true }, 'direct message'],
  [
    'a direct message sends no e-mail if the setting is off',
    { is_direct: true, ...settings({ enable_offline_email_notifications: false }) },
    undefined,
  ],
  [
    'a direct message sends an e-mail if only push notifications are off',
    { is_direct: true, ...noMentions },
    'direct message',
  ],
  ['a user who is online gets no e-mail', { is_direct: true, is_away: false }, undefined],
  ['a mention sends an e-mail in a muted topic', { is_mentioned: true, visibility_policy: MUTED }, 'mention'],
  ['a followed topic sends an e-mail', { visibility_policy: FOLLOWED }, 'followed topic'],
  [
    'a followed topic sends no e-mail if the setting is off',
    { visibility_policy: FOLLOWED, ...settings({ enable_followed_topic_email_notifications: false }) },
    undefined,
  ],
  [
    'a mention in a followed topic sends an e-mail about the topic if mentions are off',
    { is_mentioned: true, visibility_policy: FOLLOWED, ...settings({ enable_offline_email_notifications: false }) },
    'followed topic',
  ],
  [
    'a channel sends e-mails if the setting for all channels is on',
    settings({ enable_stream_email_notifications: true }),
    'channel',
  ],
  ['a channel sends e-mails if its own setting is on', { email_notifications: true }, 'channel'],
  [
    'a channel sends no e-mails if its own setting is off',
    { email_notifications: false, ...settings({ enable_stream_email_notifications: true }) },
    undefined,
  ],
  ['a muted channel sends no e-mails', { email_notifications: true, is_channel_muted: true }, undefined],
  ['the push setting of a channel sends no e-mails', { push_notifications: true }, undefined],
  ['the sender gets no e-mail', { is_direct: true, is_sender: true }, undefined],
  ['a message of a muted user sends no e-mail', { is_mentioned: true, has_muted_sender: true }, undefined],
  ['a bot gets no e-mail', { is_direct: true, is_bot: true }, undefined],
];

const reasonBy = (way: WaySettings, given: Partial<NotificationRecipient>) => {
  const recipient = { ...RECIPIENT, ...given };
  return wantedReasons(recipient, reasonsToNotify(recipient), way)[0];
};

describe('who gets a push notification of a message', () => {
  for (const [name, recipient, reason] of CASES) {
    test(name, () => assert.equal(reasonBy(BY_PUSH, recipient), reason));
  }
});

describe('who gets an e-mail about a message', () => {
  for (const [name, recipient, reason] of BY_EMAIL_CASES) {
    test(name, () => assert.equal(reasonBy(BY_EMAIL, recipient), reason));
  }
});

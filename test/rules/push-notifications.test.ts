import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  NOTIFICATION_DEFAULTS,
  type PushRecipient,
  type PushTrigger,
  pushTrigger,
} from '../../lib/rules/push-notifications.ts';

/** Somebody who is away and received a message in a channel as any other. */
const RECIPIENT: PushRecipient = {
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
  wildcard_mentions_notify: null,
};

const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3] as const;
const settings = (changed: Partial<Record<keyof typeof NOTIFICATION_DEFAULTS, boolean>>) => ({
  settings: { ...NOTIFICATION_DEFAULTS, ...changed },
});
const noMentions = settings({ enable_offline_push_notifications: false });
const everything = settings({ enable_stream_push_notifications: true });

const CASES: [name: string, recipient: Partial<PushRecipient>, trigger: PushTrigger | undefined][] = [
  ['a message in a channel notifies nobody by itself', {}, undefined],
  ['direct messages notify', { is_direct: true }, 'direct message'],
  ['direct messages notify nobody who does not want that', { is_direct: true, ...noMentions }, undefined],
  ['mentions notify', { is_mentioned: true }, 'mention'],
  ['mentions notify also where the channel is muted', { is_mentioned: true, is_channel_muted: true }, 'mention'],
  ['mentions notify also where the topic is muted', { is_mentioned: true, visibility_policy: MUTED }, 'mention'],
  ['mentions notify nobody who does not want that', { is_mentioned: true, ...noMentions }, undefined],
  ['a mention matters more than a followed topic', { is_mentioned: true, visibility_policy: FOLLOWED }, 'mention'],
  ['a mention of everybody notifies', { is_mentioned_with_all: true }, 'mention of all'],
  [
    'one of everybody does not where the channel is muted',
    { is_mentioned_with_all: true, is_channel_muted: true },
    undefined,
  ],
  [
    'one of everybody does not where the topic is muted',
    { is_mentioned_with_all: true, visibility_policy: MUTED },
    undefined,
  ],
  [
    'one of everybody does where the topic of a muted channel is unmuted',
    { is_mentioned_with_all: true, is_channel_muted: true, visibility_policy: UNMUTED },
    'mention of all',
  ],
  [
    'one of everybody does not where the channel is set so',
    { is_mentioned_with_all: true, wildcard_mentions_notify: false },
    undefined,
  ],
  [
    'one of everybody does where the channel alone is set so',
    { is_mentioned_with_all: true, wildcard_mentions_notify: true, ...settings({ wildcard_mentions_notify: false }) },
    'mention of all',
  ],
  [
    'one of everybody has a setting of its own in followed topics',
    { is_mentioned_with_all: true, visibility_policy: FOLLOWED, ...settings({ wildcard_mentions_notify: false }) },
    'mention of all',
  ],
  [
    'a followed topic notifies where mentions do not',
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
    'a followed topic notifies nobody who does not want that',
    { visibility_policy: FOLLOWED, ...settings({ enable_followed_topic_push_notifications: false }) },
    undefined,
  ],
  ['a channel notifies whoever wants that of all', everything, 'channel'],
  ['a channel notifies whoever wants that of it', { push_notifications: true }, 'channel'],
  ['a channel does not notify who does not want that of it', { ...everything, push_notifications: false }, undefined],
  ['a muted channel does not notify', { push_notifications: true, is_channel_muted: true }, undefined],
  ['a muted topic does not notify', { push_notifications: true, visibility_policy: MUTED }, undefined],
  [
    'an unmuted topic of a muted channel does',
    { push_notifications: true, is_channel_muted: true, visibility_policy: UNMUTED },
    'channel',
  ],
  ['people who are there are notified too', { is_direct: true, is_away: false }, 'direct message'],
  [
    'people who are there are not if they do not want that',
    { is_direct: true, is_away: false, ...settings({ enable_online_push_notifications: false }) },
    undefined,
  ],
  [
    'people who are away are whatever they want while they are there',
    { is_direct: true, ...settings({ enable_online_push_notifications: false }) },
    'direct message',
  ],
  ['nobody is notified of what they wrote', { is_direct: true, is_sender: true }, undefined],
  [
    'nobody is notified of what somebody wrote whom they have muted',
    { is_mentioned: true, has_muted_sender: true },
    undefined,
  ],
  ['bots are not notified', { is_direct: true, is_bot: true }, undefined],
];

describe('who is notified of a message', () => {
  for (const [name, recipient, trigger] of CASES) {
    test(name, () => assert.equal(pushTrigger({ ...RECIPIENT, ...recipient }), trigger));
  }
});

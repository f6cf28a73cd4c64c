import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel, OwnSettings, UnreadCounts } from '../../../lib/client/store/types.ts';
import { alertFor, iconCount } from '../../../lib/panel/app/alert-policy.ts';
import { tuneOf } from '../../../lib/panel/app/tunes.ts';

const SETTINGS = {
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_desktop_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_audible_notifications: false,
  enable_followed_topic_wildcard_mentions_notify: false,
  wildcard_mentions_notify: true,
} as OwnSettings;
const DIRECT = { userIds: [7] };
const TOPIC = { channelId: 3, topic: 'lunch' };
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3];

interface Case {
  place?: typeof DIRECT | typeof TOPIC;
  flags?: string[];
  settings?: Partial<OwnSettings>;
  channel?: Partial<Channel>;
  policy?: number;
}

/** `shown`, `sound`, both or nothing. */
function alerts({ place = TOPIC, flags = [], settings, channel, policy = 0 }: Case): string {
  const given = { settings: { ...SETTINGS, ...settings }, channel: channel as Channel | undefined, policy };
  const { isShown, hasSound } = alertFor({ place, flags: new Set(flags) }, given);
  return [isShown && 'shown', hasSound && 'sound'].filter(Boolean).join(' ');
}

describe('a new message', () => {
  const mentioned = { flags: ['mentioned'] };
  const everyone = { flags: ['wildcard_mentioned', 'stream_wildcard_mentioned'] };
  const CASES: Record<string, [Case, string]> = {
    'in a direct conversation is shown with a sound': [{ place: DIRECT }, 'shown sound'],
    'in a direct conversation is not shown if the user wants none': [
      { place: DIRECT, settings: { enable_desktop_notifications: false } },
      'sound',
    ],
    'in a channel alerts nobody': [{}, ''],
    'in a channel is shown if the user wants all': [
      { settings: { enable_stream_desktop_notifications: true } },
      'shown',
    ],
    'in a channel with a setting of its own follows that': [
      {
        channel: { desktop_notifications: false, audible_notifications: true },
        settings: { enable_stream_desktop_notifications: true },
      },
      'sound',
    ],
    'in a muted topic of such a channel alerts nobody': [
      { channel: { desktop_notifications: true }, policy: MUTED },
      '',
    ],
    'in a muted channel alerts nobody': [{ channel: { desktop_notifications: true, is_muted: true } }, ''],
    'in an unmuted topic of a muted channel is shown': [
      { channel: { desktop_notifications: true, is_muted: true }, policy: UNMUTED },
      'shown',
    ],
    'in a followed topic is shown': [{ policy: FOLLOWED }, 'shown'],
    'with a mention is shown, also in a muted topic': [{ ...mentioned, policy: MUTED }, 'shown sound'],
    'for everyone is shown': [everyone, 'shown sound'],
    'for everyone in a muted topic alerts nobody': [{ ...everyone, policy: MUTED }, ''],
    'for everyone alerts nobody if the user or the channel ignores wildcards': [
      { ...everyone, channel: { wildcard_mentions_notify: false } },
      '',
    ],
  };
  for (const [name, [given, expected]] of Object.entries(CASES)) {
    it(name, () => assert.equal(alerts(given), expected));
  }
});

it('the icon counts what the user chose', () => {
  const topics = new Map([
    ['lunch', { name: 'lunch', count: 5, newest: 1, hasMention: false, isMuted: false }],
    ['tea', { name: 'tea', count: 2, newest: 1, hasMention: true, isMuted: false }],
  ]);
  const channels = new Map([[3, { count: 7, muted: 0, hasMention: true, topics }]]);
  const unread: UnreadCounts = {
    ...{ total: 10, direct: 3, mentions: 1, isPartial: false },
    ...{ channels, conversations: new Map() },
  };
  const counts = ([1, 2, 3, 4] as const).map((desktop_icon_count_display) =>
    iconCount(unread, { desktop_icon_count_display }, () => FOLLOWED),
  );
  assert.deepEqual(counts, [10, 9, 4, 0]);
});

it('each sound has notes of its own', () => {
  const tunes = ['zulip', 'ding', 'chime', 'bink', 'up', 'down'].map((name) => JSON.stringify(tuneOf(name)));
  assert.equal(new Set(tunes).size, tunes.length);
});

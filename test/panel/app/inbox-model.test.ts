import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel, UnreadCounts } from '../../../lib/client/store/types.ts';
import { inboxOf, sortedChannels } from '../../../lib/panel/app/inbox-model.ts';

const channel = (stream_id: number, name: string, own: Partial<Channel> = {}) =>
  ({ stream_id, name, is_subscribed: true, is_archived: false, is_muted: false, pin_to_top: false, ...own }) as Channel;

test('pinned channels come first and muted ones last, and archived and unsubscribed ones are left out', () => {
  const channels = [
    channel(1, 'b10'),
    channel(2, 'b9'),
    channel(3, 'muted', { is_muted: true }),
    channel(4, 'pinned', { pin_to_top: true }),
    channel(5, 'old', { is_archived: true }),
    channel(6, 'other', { is_subscribed: false }),
    channel(7, 'z muted and pinned', { is_muted: true, pin_to_top: true }),
    channel(8, 'pinned and old', { pin_to_top: true, is_archived: true }),
  ];
  assert.deepEqual(
    sortedChannels(channels, 'en').map(({ name }) => name),
    ['pinned', 'b9', 'b10', 'z muted and pinned', 'muted'],
  );
});

test('the inbox has conversations and topics with unread messages, without muted topics', () => {
  const topic = { hasMention: false, visibilityPolicy: 0 };
  const unread = {
    channels: new Map([
      [
        1,
        {
          topics: new Map([
            ['lunch', { ...topic, name: 'Lunch', count: 3, isMuted: false }],
            ['noise', { ...topic, name: 'noise', count: 9, isMuted: true }],
          ]),
        },
      ],
      [2, { topics: new Map([['noise', { ...topic, name: 'noise', count: 9, isMuted: true }]]) }],
    ]),
  } as unknown as UnreadCounts;
  const conversations = [
    { userIds: [9], lastMessageId: 5, unread: 1 },
    { userIds: [8], lastMessageId: 4, unread: 0 },
  ];
  const inbox = inboxOf(unread, [channel(1, 'general'), channel(2, 'random')], conversations);
  assert.deepEqual(inbox.direct, [conversations[0]]);
  assert.deepEqual(
    inbox.channels.map((group) => [group.channel.name, group.count, group.topics.map(({ name }) => name)]),
    [['general', 3, ['Lunch']]],
  );
});

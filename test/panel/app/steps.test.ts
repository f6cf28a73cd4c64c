import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../../lib/client/store/types.ts';
import type { Inbox } from '../../../lib/panel/app/inbox-model.ts';
import type { Route } from '../../../lib/panel/app/routes.ts';
import { nextUnread } from '../../../lib/panel/app/steps.ts';

const channel = (stream_id: number) => ({ stream_id, name: `channel ${stream_id}` }) as Channel;
const CHANNELS = [1, 2, 3, 4].map(channel);

const topic = (channelId: number, name: string): Route => ({ view: 'topic', channelId, topic: name });
const direct = (...userIds: number[]): Route => ({ view: 'direct', userIds });

/** Unread: conversations with these users, and topics by channel. */
function inbox(users: readonly number[], topics: Readonly<Record<number, readonly string[]>>): Inbox {
  return {
    direct: users.map((user) => ({ userIds: [user], lastMessageId: 1, unread: 1 })),
    channels: Object.entries(topics).map(([id, names]) => ({
      channel: channel(Number(id)),
      count: names.length,
      topics: names.map((name) => ({ name, count: 1, newest: 1, hasMention: false, isMuted: false })),
    })),
  };
}

const UNREAD = inbox([8, 9], { 1: ['a', 'b'], 3: ['c'] });

const CASES: readonly (readonly [from: Route, unread: Inbox, to: Route | undefined])[] = [
  [{ view: 'inbox' }, UNREAD, direct(8)],
  [direct(8), UNREAD, direct(9)],
  [direct(9), UNREAD, topic(1, 'a')],
  [topic(1, 'A'), UNREAD, topic(1, 'b')],
  [topic(3, 'c'), UNREAD, direct(8)],
  [topic(1, 'read'), UNREAD, topic(1, 'a')],
  [{ view: 'channel', channelId: 2 }, UNREAD, topic(3, 'c')],
  [topic(4, 'last'), UNREAD, direct(8)],
  [topic(9, 'not subscribed'), UNREAD, topic(1, 'a')],
  [topic(3, 'c'), inbox([], { 3: ['c'] }), undefined],
  [{ view: 'settings' }, inbox([], {}), undefined],
];

for (const [from, unread, to] of CASES) {
  test(`the next unread conversation after ${JSON.stringify(from)} is ${JSON.stringify(to)}`, () => {
    assert.deepEqual(nextUnread(unread, { channels: CHANNELS, route: from }), to);
  });
}

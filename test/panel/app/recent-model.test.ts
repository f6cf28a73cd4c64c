import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel, Message, Place } from '../../../lib/client/store/types.ts';
import { recentConversations } from '../../../lib/panel/app/recent-model.ts';

const message = (id: number, place: Place, sender_id = 9) =>
  ({ id, place, sender_id, sender_full_name: `User ${sender_id}`, avatar_url: null }) as Message;
const lunch = (topic = 'lunch'): Place => ({ channelId: 4, topic });

const NONE = { channels: new Map<number, Channel>(), mutedUsers: new Set<number>(), policy: () => 0 };

const shown = (messages: readonly Message[], settings: Partial<typeof NONE> = {}) =>
  recentConversations(messages, { ...NONE, ...settings }).map(({ key, last, participants }) => [
    key,
    last.id,
    participants.map(({ sender_id }) => sender_id),
  ]);

test('conversations are in the order of their newest message, with who wrote there, the last one first', () => {
  const messages = [
    message(1, lunch(), 8),
    message(2, { userIds: [8] }),
    message(3, lunch('LUNCH'), 9),
    message(4, lunch('dinner')),
    message(5, lunch(), 9),
  ];
  assert.deepEqual(shown(messages), [
    ['topic 4 lunch', 5, [9, 8]],
    ['topic 4 dinner', 4, [9]],
    ['direct 8', 2, [9]],
  ]);
});

test('muted topics are left out, and the policy of a topic comes before its channel', () => {
  const messages = [message(1, lunch()), message(2, lunch('dinner'))];
  const channels = new Map([[4, { is_muted: true } as Channel]]);
  assert.deepEqual(shown(messages, { channels }), []);
  const policy = ((_: number, topic: string) => (topic === 'lunch' ? 2 : 0)) as () => number;
  assert.deepEqual(shown(messages, { channels, policy }), [['topic 4 lunch', 1, [9]]]);
  assert.deepEqual(shown(messages, { policy: () => 1 }), []);
});

test('messages of muted users do not count', () => {
  const messages = [message(1, lunch(), 8), message(2, lunch(), 9), message(3, { userIds: [9] }, 9)];
  assert.deepEqual(shown(messages, { mutedUsers: new Set([9]) }), [['topic 4 lunch', 1, [8]]]);
});

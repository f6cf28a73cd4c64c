import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from '../../../../lib/domains/channels/subscribing.ts';
import type { User } from '../../../../lib/model/users.ts';

const users = (count: number) => Array.from({ length: count }, (_, id) => ({ id }) as User);
const channels = (count: number, group?: (at: number) => number, invite_only = true) =>
  Array.from({ length: count }, (_, at) => ({
    id: at,
    invite_only,
    is_web_public: false,
    settings: (group ? { can_subscribe_group: group(at) } : {}) as Record<string, number>,
  }));
const sizes = (parts: ReturnType<typeof partsOf>) =>
  parts.map(({ channels, users }) => [channels.length, users.length]);

test('subscribing is split into parts by the longer of channels and users', () => {
  assert.deepEqual(sizes(partsOf(channels(1), users(1))), [[1, 1]]);
  assert.deepEqual(sizes(partsOf(channels(2), users(3_000))), [
    [2, 1_250],
    [2, 1_250],
    [2, 500],
  ]);
  assert.deepEqual(sizes(partsOf(channels(1_000), users(10))), Array(4).fill([250, 10]));
  assert.deepEqual(sizes(partsOf(channels(250), users(1), { max: 100 })), [
    [100, 1],
    [100, 1],
    [50, 1],
  ]);
});

test('private channels with different groups are split into parts of few channels', () => {
  const own = (at: number) => at;
  assert.deepEqual(sizes(partsOf(channels(45, own), users(1))), [
    [19, 1],
    [19, 1],
    [7, 1],
  ]);
  // Split by channels, although there are more users.
  assert.ok(partsOf(channels(40, own), users(100)).every(({ channels }) => channels.length <= 20));
  assert.equal(
    partsOf(
      channels(1_000, () => 7),
      users(1),
    ).length,
    1,
  );
  assert.equal(partsOf(channels(1_000, own, false), users(1)).length, 1);
});

test('channels with many subscribers to list are split into parts of few channels', () => {
  const named = () => 25_000;
  assert.deepEqual(sizes(partsOf(channels(12), users(1), { named })), [
    [4, 1],
    [4, 1],
    [4, 1],
  ]);
  // Each user is listed once, although there are more users.
  assert.deepEqual(sizes(partsOf(channels(10), users(100), { named })), [
    [4, 100],
    [4, 100],
    [2, 100],
  ]);
  assert.deepEqual(sizes(partsOf(channels(1), users(6_000), { named: () => 1_000_000 })), [
    [1, 2_500],
    [1, 2_500],
    [1, 1_000],
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peerAudiences } from '../../../lib/domains/channels/subscriptions/events.ts';
import type { Session } from '../../../lib/index.ts';
import type { Channel } from '../../../lib/model/channels.ts';
import { testChat } from '../../../lib/testing/testing.ts';
import type { WriteContext } from '../../../lib/viewer/context.ts';

/** The subscriptions of other users that a client knows from events. */
async function toldOfPeers(session: Session, work: () => Promise<unknown>) {
  const { queue_id } = await session.register({ event_types: ['subscription'], fetch_event_types: [] });
  await work();
  const { events } = await session.events.list({ queue_id, last_event_id: -1, dont_block: true });
  return events.flatMap((event) =>
    event.type === 'subscription' && (event.op === 'peer_add' || event.op === 'peer_remove')
      ? [{ op: event.op, stream_ids: event.stream_ids, user_ids: event.user_ids }]
      : [],
  );
}

/** Four public channels and a private one. A guest is in the first two, another member in the third. */
async function club() {
  const { people, close, chat } = await testChat({
    people: { olga: 'owner', mia: 'member', max: 'member', guido: 'guest', gina: 'guest' },
    channels: { one: ['olga', 'guido'], two: ['olga', 'guido'], three: ['olga', 'max'], four: ['olga'] },
  });
  const { id: secret } = await people.olga.channels.create({
    name: 'secret',
    invite_only: true,
    subscribers: [people.olga.user_id, people.max.user_id],
  });
  const ids = (await people.olga.channels.list()).streams;
  const idOf = (name: string) => ids.find((channel) => channel.name === name)?.stream_id as number;
  return { chat, people, close, secret, idOf };
}

const ALL = ['one', 'two', 'three', 'four', 'secret'];

test('users who see the same channels get one peer event for them, guests only for their own', async (t) => {
  const { people, close, secret, idOf } = await club();
  t.after(close);
  const { olga, mia, max, guido, gina } = people;
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(idOf) as [number, number, number, number];
  const join = () =>
    olga.subscriptions.add({ subscriptions: ALL.map((name) => ({ name })), principals: [mia.user_id] });
  const leave = () => olga.subscriptions.remove({ subscriptions: ALL, principals: [mia.user_id] });
  const user_ids = [mia.user_id];
  for (const [op, change] of [
    ['peer_add', join],
    ['peer_remove', leave],
  ] as const) {
    const told: Record<string, unknown> = {};
    const wait = async (names: [string, Session][], work: () => Promise<unknown>): Promise<unknown> => {
      const [first, ...others] = names;
      if (!first) return work();
      told[first[0]] = await toldOfPeers(first[1], () => wait(others, work));
    };
    await wait(Object.entries({ olga, max, guido, gina }), change);
    const open = [
      { op, stream_ids: [one, two], user_ids },
      { op, stream_ids: [three, four], user_ids },
    ];
    assert.deepEqual(told, {
      olga: [...open, { op, stream_ids: [secret], user_ids }],
      max: [...open, { op, stream_ids: [secret], user_ids }],
      guido: [{ op, stream_ids: [one, two], user_ids }],
      gina: [],
    });
  }
});

test('users of the same channels get one event of a deactivated or reactivated user', async (t) => {
  const { people, close, secret, idOf } = await club();
  t.after(close);
  const { olga, mia, max, guido } = people;
  await olga.subscriptions.add({ subscriptions: ALL.map((name) => ({ name })), principals: [mia.user_id] });
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(idOf) as [number, number, number, number];
  const { user_id } = mia;
  for (const [op, change] of [
    ['peer_remove', () => olga.users.deactivate({ user_id })],
    ['peer_add', () => olga.users.reactivate({ user_id })],
  ] as const) {
    let ofGuest: unknown;
    const ofMember = await toldOfPeers(max, async () => {
      ofGuest = await toldOfPeers(guido, change);
    });
    assert.deepEqual(ofMember, [
      { op, stream_ids: [one, two], user_ids: [user_id] },
      { op, stream_ids: [three, four], user_ids: [user_id] },
      { op, stream_ids: [secret], user_ids: [user_id] },
    ]);
    assert.deepEqual(ofGuest, [{ op, stream_ids: [one, two], user_ids: [user_id] }]);
  }
});

test('peer audiences list the guests of channels only for few guests and channels', async () => {
  const looked: number[] = [];
  const audiencesOf = (guests: number, channels: number) => {
    const users = { activeIds: async () => Array.from({ length: guests }, (_, at) => at + 1) };
    const subscriberIds = async (ids: readonly number[], among: readonly number[]) => {
      looked.push(ids.length * among.length);
      return new Map(ids.map((id) => [id, [7]]));
    };
    const context = { tx: { users, subscriptions: { subscriberIds } } } as unknown as WriteContext;
    const open = Array.from({ length: channels }, (_, id) => ({ id, invite_only: false, is_web_public: false }));
    return peerAudiences(context, open as Channel[]);
  };
  assert.deepEqual((await audiencesOf(100, 1_000)).get(3), { scope: 'members', users: [7] });
  assert.deepEqual((await audiencesOf(100, 1_001)).get(3), { scope: 'members', channel: 3 });
  assert.deepEqual((await audiencesOf(101, 2)).get(1), { scope: 'members', channel: 1 });
  assert.deepEqual(looked, [100_000]);
});

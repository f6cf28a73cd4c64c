import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Session } from '../../../../lib/index.ts';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { testOn } from '../../../support/engines.ts';
import type { WorldEngine } from '../../../world/copies.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { afterFirstWrite, beforeFirstCommit, twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';

/** More users than one transaction subscribes to two channels. */
const COUNT = 1_300;
/** Users of each channel in the first part. */
const FIRST = 1_250;
const ROLE_NOBODY = systemGroupId('role:nobody');

async function manyPeople(world: World, count = COUNT): Promise<number[]> {
  const ids: number[] = [];
  const people = Array.from({ length: count }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  for (let from = 0; from < count; from += 1_000) {
    const made = await world.as('owner').users.createMany({ people: people.slice(from, from + 1_000) });
    ids.push(...made.people.map(({ user_id }) => user_id as number));
  }
  return ids;
}

const subscribersOf = async (world: World, name: 'public' | 'quiet') =>
  new Set((await world.as('owner').channels.subscribers({ stream_id: world.channels[name] })).subscribers);

/** What another process changes between two parts, and the message of the refusal. */
const CHANGES: [what: string, change: (there: World) => Promise<unknown>, code: string, message: RegExp][] = [
  [
    'is deactivated',
    (there) => there.as('owner').users.deactivate({ user_id: there.users.hamlet }),
    'UNAUTHORIZED',
    /deactivated\..* Completed before the error: 2,500 subscriptions added/,
  ],
  [
    'becomes a guest',
    (there) => there.as('owner').users.edit({ user_id: there.users.hamlet, role: 600 }),
    'BAD_REQUEST',
    /Guests are not allowed to do this\. Completed before the error: 2,500 subscriptions added/,
  ],
  [
    'may no longer add others',
    (there) => there.settings({ can_add_subscribers_group: ROLE_NOBODY }),
    'BAD_REQUEST',
    /not allowed to subscribe to "Denmark", "Norway"\. Completed before the error: 2,500 subscriptions added/,
  ],
];

export function subscribingInParts(engine: WorldEngine): void {
  const test = testOn(engine);
  describe(`subscribing in parts, on ${engine.name}`, () => {
    for (const [what, change, code, message] of CHANGES) {
      test(`a user who ${what} after a part subscribes no further users, and the error has the number of subscriptions added`, async (t) => {
        const [here, there] = await twoProcesses(t, engine);
        const principals = await manyPeople(here);
        const subscriptions = [{ name: CHANNELS.public }, { name: CHANNELS.quiet }];
        afterFirstWrite(here, () => change(there));
        await assert.rejects(here.as('hamlet').subscriptions.add({ subscriptions, principals }), { code, message });
        const subscribed = await subscribersOf(here, 'quiet');
        assert.equal(principals.filter((id) => subscribed.has(id)).length, FIRST);
      });
    }

    const closings: [string, (owner: Session, world: World) => Promise<unknown>][] = [
      ['archived', (owner, { channels }) => owner.channels.archive({ stream_id: channels.quiet })],
      [
        'made private and renamed',
        (owner, { channels }) =>
          owner.channels.edit({ stream_id: channels.quiet, is_private: true, new_name: 'A secret' }),
      ],
    ];
    for (const [what, close] of closings) {
      test(`a channel that is ${what} after a part gets no further subscribers, and the other gets all`, async (t) => {
        const [here, there] = await twoProcesses(t, engine);
        const principals = await manyPeople(here);
        const subscriptions = [{ name: CHANNELS.public }, { name: CHANNELS.quiet }];
        afterFirstWrite(here, () => close(there.as('owner'), there));
        const answer = await here
          .as('hamlet')
          .subscriptions.add({ subscriptions, principals, authorization_errors_fatal: false });
        assert.deepEqual(answer.unauthorized, [CHANNELS.quiet]);
        assert.deepEqual(answer.subscribed[principals[0] as number], [CHANNELS.public, CHANNELS.quiet]);
        assert.deepEqual(answer.subscribed[principals.at(-1) as number], [CHANNELS.public]);
        assert.deepEqual(answer.already_subscribed, {});
        const inOther = await subscribersOf(here, 'public');
        assert.ok(principals.every((id) => inOther.has(id)));
        const inClosed = await subscribersOf(here, 'quiet');
        assert.equal(principals.filter((id) => inClosed.has(id)).length, FIRST);
      });
    }

    test('a user who loses the permission after a part creates no further channels', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      afterFirstWrite(here, () => there.settings({ can_create_public_channel_group: ROLE_NOBODY }));
      const subscriptions = Array.from({ length: 150 }, (_, at) => ({ name: `many ${at}` }));
      await assert.rejects(here.as('hamlet').subscriptions.add({ subscriptions }), {
        code: 'BAD_REQUEST',
        message:
          /not allowed to create public channels\. Completed before the error: 100 channels created, 100 subscriptions added/,
      });
      const names = subscriptions.map(({ name }) => name);
      assert.equal((await here.storage.read((tx) => tx.channels.byNames(names))).length, 100);
    });

    test('a user who may no longer remove others after a part removes no further users', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const owner = here.as('owner');
      const principals = [here.users.hamlet, ...(await manyPeople(here))];
      const kind = { invite_only: true, can_remove_subscribers_group: systemGroupId('role:members') };
      const open = async (...names: string[]) => {
        for (const name of names) await owner.channels.create({ name, subscribers: principals, ...kind });
        return () => here.as('hamlet').subscriptions.remove({ subscriptions: names, principals });
      };
      const remove = await open('first', 'second');
      assert.equal((await remove()).removed.length, 2 * principals.length);

      const removeMore = await open('third', 'fourth');
      const { stream_id: id } = await owner.channels.getId({ stream: 'fourth' });
      const closed = { stream_id: id, can_remove_subscribers_group: { new: ROLE_NOBODY } };
      afterFirstWrite(here, () => there.as('owner').channels.edit(closed));
      await assert.rejects(removeMore(), {
        code: 'BAD_REQUEST',
        message: /not allowed to unsubscribe other users.*\. Completed before the error: 2,500 subscriptions removed/,
      });
      const left = await owner.channels.subscribers({ stream_id: id });
      assert.equal(left.subscribers.length, principals.length - FIRST);
    });

    test('a new channel whose creator is deactivated after a part keeps the subscribers of that part', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const people = await manyPeople(here, 2_600);
      afterFirstWrite(here, () => there.as('owner').users.deactivate({ user_id: there.users.hamlet }));
      await assert.rejects(here.as('hamlet').channels.create({ name: 'large', subscribers: people }), {
        code: 'UNAUTHORIZED',
        message: /Completed before the error: 1 channel created, 2,500 subscriptions added/,
      });
    });

    test('concurrent subscription changes of a user in two processes are each made once, with one event', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { queue_id = '' } = await here
        .as('hamlet')
        .register({ event_types: ['subscription'], fetch_event_types: [] });
      const named = (...names: string[]) => names.map((name) => ({ name }));
      const update = (world: World, ...names: string[]) =>
        world.as('hamlet').subscriptions.update({ add: named(...names), delete: [CHANNELS.public] });
      const other = beforeFirstCommit(here, engine, () => update(there, 'second', 'third'));
      const answers = [await update(here, 'first', 'second'), await other];
      const { hamlet } = here.users;
      assert.deepEqual(
        answers.map(({ subscribed, already_subscribed, removed, not_removed }) => [
          subscribed[hamlet],
          already_subscribed[hamlet],
          removed,
          not_removed,
        ]),
        [
          [['first', 'second'], undefined, [CHANNELS.public], []],
          [['third'], ['second'], [], [CHANNELS.public]],
        ],
      );
      const { events } = await here.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block: true });
      const told = events.flatMap((event) =>
        event.type === 'subscription' && 'op' in event && (event.op === 'add' || event.op === 'remove')
          ? event.subscriptions.map(({ name }) => `${event.op} ${name}`)
          : [],
      );
      assert.deepEqual(told.sort(), ['add first', 'add second', 'add third', `remove ${CHANNELS.public}`]);
      const channels = await here.storage.read((tx) => tx.channels.byNames(['first', 'second', 'third']));
      assert.deepEqual(
        channels.map(({ subscriber_count }) => subscriber_count),
        [1, 1, 1],
      );
    });
  });
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChatError, type Session } from '../../lib/index.ts';
import { catalogue } from '../../lib/internal.ts';
import { systemGroupId } from '../../lib/rules/system-groups.ts';
import { type Change, UNSEEN } from '../world/calls.ts';
import { sqliteEngine } from '../world/copies.ts';
import { assertEvent } from '../world/event-keys.ts';
import { CHANNELS, USER_NAMES } from '../world/fixture.ts';
import { applyEvent, comparable, type State } from '../world/reference-client.ts';
import type { World } from '../world/world.ts';
import { changes } from './tables.ts';

/** Everybody in the fixture who may register: whoever a change is about is looked at, and those beside them. */
const EVERYBODY = USER_NAMES.filter((name) => name !== 'deactivated' && name !== 'webhook');

/** A client as it registers. */
type Registration = Parameters<Session['register']>[0] & object;

/** As a newer client, and as one to whom archived channels are not there. */
const REGISTRATIONS: readonly Registration[] = [true, false].map((archived_channels) => ({
  include_subscribers: true,
  client_capabilities: {
    archived_channels,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
    user_list_incomplete: archived_channels,
  },
}));

interface Observer {
  name: string;
  id: number;
}

/** Organizations that differ in what people are told, each with those for whom they do. */
const ORGANIZATIONS: Record<string, (world: World) => Promise<Observer[]>> = {
  'everybody sees everybody': async (world) => EVERYBODY.map((name) => ({ name, id: world.users[name] })),
  /** Among them a guest who shares no channel with the other one. */
  'guests see only those they have to do with': async (world) => {
    const { as, users } = world;
    await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
    const owner = as('owner');
    const { user_id: id } = await owner.users.create({ email: 'second@example.com', full_name: 'Stranger', role: 600 });
    await owner.subscriptions.remove({ subscriptions: [CHANNELS.default], principals: [id] });
    await owner.subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals: [id] });
    await as('guest').messages.send({ type: 'direct', to: [users.hamlet], content: 'Good day.' });
    return [
      { name: 'the guest', id: users.guest },
      { name: 'another guest', id },
      { name: 'a member', id: users.cordelia },
    ];
  },
};

/** Whose queues were ended, by which operation. */
const ended = new Set<string>();

describe('the state before and the events make the state after', () => {
  for (const [organization, prepare] of Object.entries(ORGANIZATIONS)) {
    for (const [operation, ofOperation] of Object.entries(changes)) {
      for (const [what, change] of Object.entries(ofOperation === UNSEEN ? {} : ofOperation)) {
        test(`where ${organization}, events tell the truth after ${operation}: ${what}`, async () => {
          const world = await sqliteEngine.world();
          try {
            for (const name of await holdsTrue(world, await prepare(world), change)) ended.add(`${operation} ${name}`);
          } finally {
            await world.close();
          }
        });
      }
    }
  }
});

/** Returns whose queues were ended. */
async function holdsTrue(world: World, observers: readonly Observer[], change: Change): Promise<string[]> {
  const ended: string[] = [];
  const before: { observer: Observer; registration: Registration; state: State }[] = [];
  for (const observer of observers) {
    for (const registration of REGISTRATIONS) {
      const state: State = await world.chat.as(observer.id).register(registration);
      // The client knows what it has told the server of itself.
      state.user_list_incomplete = registration.client_capabilities?.user_list_incomplete;
      before.push({ observer, registration, state });
    }
  }
  await change(world);
  for (const { observer, registration, state } of before) {
    const session = world.chat.as(observer.id);
    // Who was deactivated has no events and no state any more.
    const me = await world.storage.read((tx) => tx.users.byId(observer.id));
    if (!me?.is_active) continue;
    const { queue_id } = state;
    const polled = session.events.list({ queue_id, last_event_id: -1, dont_block: true });
    const answer = await polled.catch((error: unknown) => {
      if (error instanceof ChatError && error.code === 'BAD_EVENT_QUEUE_ID') return undefined;
      throw error;
    });
    // A client without a queue fetches everything anew.
    if (!answer) {
      ended.push(observer.name);
      continue;
    }
    for (const event of answer.events) {
      assertEvent(event);
      applyEvent(state, event, observer.id);
    }
    const after = await session.register(registration);
    const [told, found] = [comparable(state), comparable(after)];
    const who = `${observer.name}, ${JSON.stringify(registration.client_capabilities)}`;
    for (const key of Object.keys(found)) assert.deepEqual(told[key], found[key], `${key} of ${who}`);
  }
  return ended;
}

test('only guests are made to fetch everything anew, and only when whom they see is different altogether', () => {
  // Whoever was deactivated meanwhile has lost their queues by that.
  const others = [...ended].filter((one) => !one.startsWith('users.reactivate'));
  assert.deepEqual(others.sort(), [
    ...['another guest', 'guest', 'the guest'].map((name) => `organization.edit ${name}`),
    'users.edit the guest',
  ]);
});

test('every operation that changes the state has changes, or says that clients do not start from what it changes', () => {
  const writing = catalogue.filter((operation) => operation.effect !== 'read').map((operation) => operation.name);
  assert.deepEqual(
    writing.filter((name) => changes[name] === undefined || Object.keys(changes[name]).length === 0),
    [],
  );
});

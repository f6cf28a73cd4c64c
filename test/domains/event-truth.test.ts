import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue } from '../../lib/internal.ts';
import { type Change, UNSEEN } from '../world/calls.ts';
import { sqliteEngine } from '../world/copies.ts';
import { assertEvent } from '../world/event-keys.ts';
import type { UserName } from '../world/fixture.ts';
import { applyEvent, comparable, type State } from '../world/reference-client.ts';
import type { World } from '../world/world.ts';
import { changes } from './tables.ts';

const VIEWERS = ['owner', 'administrator', 'cordelia', 'hamlet', 'newcomer', 'guest'] as const;

/** As a newer client registers, and as one to whom archived channels are not there. */
const REGISTRATIONS = [true, false].map((archived_channels) => ({
  include_subscribers: true,
  client_capabilities: {
    archived_channels,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
  },
}));

describe('the state before and the events make the state after', () => {
  for (const [operation, ofOperation] of Object.entries(changes)) {
    for (const [what, change] of Object.entries(ofOperation === UNSEEN ? {} : ofOperation)) {
      test(`events tell the truth after ${operation}: ${what}`, async () => {
        const world = await sqliteEngine.world();
        try {
          await holdsTrue(world, change);
        } finally {
          await world.close();
        }
      });
    }
  }
});

async function holdsTrue(world: World, change: Change): Promise<void> {
  const before: { viewer: UserName; registration: (typeof REGISTRATIONS)[number]; state: State }[] = [];
  for (const viewer of VIEWERS) {
    for (const registration of REGISTRATIONS)
      before.push({ viewer, registration, state: await world.as(viewer).register(registration) });
  }
  await change(world);
  for (const { viewer, registration, state } of before) {
    const session = world.as(viewer);
    // Who was deactivated has no events and no state any more.
    const me = await world.storage.read((tx) => tx.users.byId(world.users[viewer]));
    if (!me?.is_active) continue;
    const { events } = await session.events.list({ queue_id: state.queue_id, last_event_id: -1, dont_block: true });
    for (const event of events) {
      assertEvent(event);
      applyEvent(state, event, world.users[viewer]);
    }
    const after = await session.register(registration);
    const [told, found] = [comparable(state), comparable(after)];
    const who = `${viewer}, archived channels: ${registration.client_capabilities.archived_channels}`;
    for (const key of Object.keys(found)) assert.deepEqual(told[key], found[key], `${key} of ${who}`);
  }
}

test('every operation that changes the state has changes, or says that clients do not start from what it changes', () => {
  const writing = catalogue.filter((operation) => operation.effect !== 'read').map((operation) => operation.name);
  assert.deepEqual(
    writing.filter((name) => changes[name] === undefined || Object.keys(changes[name]).length === 0),
    [],
  );
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue } from '../../lib/internal.ts';
import { UNSEEN } from '../world/calls.ts';
import { sqliteEngine } from '../world/copies.ts';
import { changes } from './tables.ts';
import { Clients, ORGANIZATIONS, type Registration } from './truth.ts';

/** As a newer client, as one to whom archived channels are not there, and as one that starts with its own channels. */
const REGISTRATIONS: readonly Registration[] = [
  { archived_channels: true },
  { archived_channels: false },
  { archived_channels: true, include_never_subscribed: false },
].map(({ archived_channels, ...more }) => ({
  ...more,
  include_subscribers: true,
  client_capabilities: {
    archived_channels,
    include_deactivated_groups: archived_channels,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
    user_list_incomplete: archived_channels,
  },
}));

/** Operations and users whose queues they ended. */
const ended = new Set<string>();

describe('the state before and the events give the state after', () => {
  for (const [organization, prepare] of Object.entries(ORGANIZATIONS)) {
    for (const [operation, ofOperation] of Object.entries(changes)) {
      for (const [what, change] of Object.entries(ofOperation === UNSEEN ? {} : ofOperation)) {
        test(`events give clients the right state after ${operation}, where ${organization}: ${what}`, async () => {
          const world = await sqliteEngine.world();
          try {
            const clients = new Clients(world);
            await clients.register(await prepare(world), REGISTRATIONS);
            await change(world);
            for (const name of await clients.check()) ended.add(`${operation} ${name}`);
          } finally {
            await world.close();
          }
        });
      }
    }
  }
});

test('queues end only for guests whose visible users change as a whole', () => {
  // Deactivation ends the queues of a user.
  const others = [...ended].filter((one) => !/^(users\.reactivate .*|userStatus\.set hamlet)$/.test(one));
  assert.deepEqual(others.sort(), [
    ...['another guest', 'guest', 'the guest'].map((name) => `organization.edit ${name}`),
    'users.edit the guest',
  ]);
});

test('every operation that changes the state has changes in its calls.ts, or is marked as unseen by clients', () => {
  const writing = catalogue.filter((operation) => operation.effect !== 'read').map((operation) => operation.name);
  assert.deepEqual(
    writing.filter((name) => changes[name] === undefined || Object.keys(changes[name]).length === 0),
    [],
  );
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { present } from '../../lib/base/present.ts';
import type { World } from '../world/world.ts';
import { type EndedQueue, type NamedChange, playTogether } from './joint-changes.ts';
import { Clients, type Observer, ORGANIZATIONS, type Registration } from './truth.ts';

/** A current client, a client without archived_channels, and a client that starts with its own channels. */
const [CURRENT, ...OTHERS]: readonly Registration[] = [
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

/** They see different channels: all, as a subscriber, none yet, as a guest. Other users have only current clients. */
const WITH_ALL_CLIENTS = ['owner', 'cordelia', 'newcomer', 'guest', 'the guest', 'another guest', 'a member'];

interface TruthOptions {
  /** Whether each user has each kind of client. */
  isWhole?: boolean;
}

const followEvents =
  (prepare: (world: World) => Promise<Observer[]>, { isWhole }: TruthOptions) =>
  async (world: World) => {
    const clients = new Clients(world);
    const observers = await prepare(world);
    await clients.register(observers, [present(CURRENT)]);
    await clients.register(
      observers.filter(({ name }) => isWhole || WITH_ALL_CLIENTS.includes(name)),
      OTHERS,
    );
    return clients;
  };

const NEW_GUESTS = ['administrator', 'guest', 'hamlet', 'moderator', 'newcomer', 'owner'].map(
  (name) => `users.edit ${name}`,
);
/** Users who become guests or are guests no more, and guests whose visible users change as a whole. Their queues end. */
const ENDED: Record<keyof typeof ORGANIZATIONS, string[]> = {
  'all users see each other': ['organization.edit guest', ...NEW_GUESTS],
  'guests see only related users': [
    ...['another guest', 'the guest'].map((name) => `organization.edit ${name}`),
    'users.edit the guest',
  ],
};

/** One test for each group of changes in each organization. */
export function testEventTruth(
  groups: readonly (readonly NamedChange[])[],
  organizations: readonly (keyof typeof ORGANIZATIONS)[],
  options: TruthOptions = {},
): void {
  describe('the state before and the events give the state after', () => {
    const ended: EndedQueue[] = [];

    for (const organization of organizations) {
      const prepare = ORGANIZATIONS[organization];
      for (const group of groups) {
        const names = group.map(({ name }) => name).join(', ');
        test(`events give clients the right state where ${organization}, after ${names}`, async () => {
          ended.push(...(await playTogether(group, followEvents(prepare, options))));
        });
      }
    }

    test('queues end only for users who see other channels and users as a whole', () => {
      const queues = new Set(ended.map(({ operation, user }) => `${operation} ${user}`));
      // Deactivation ends the queues of a user.
      const others = [...queues].filter((queue) => !/^(users\.reactivate .*|userStatus\.set hamlet)$/.test(queue));
      assert.deepEqual(others.sort(), organizations.flatMap((organization) => ENDED[organization]).sort());
    });
  });
}

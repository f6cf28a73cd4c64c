import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { MINUTE, schedule, soon } from './scheduling.ts';

const oneOf = (caller: UserName | 'anonymous', world: World) => (caller === 'anonymous' ? 1 : insertOne(world, caller));

/** Stored without the operation, since some callers cannot schedule messages. */
function insertOne({ storage, users, clock }: World, caller: UserName): Promise<number> {
  return storage.write((tx) =>
    tx.scheduledMessages.create({
      sender_id: users[caller],
      channel_id: null,
      recipient_ids: [users[caller]],
      topic: '',
      content: 'word',
      rendered_content: '<p>word</p>',
      client: 'test',
      read_by_sender: false,
      scheduled_delivery_timestamp: soon({ clock }),
    }),
  );
}

export const matrix: PlainCalls = {
  'scheduledMessages.create': (world) => ({
    type: 'channel',
    to: world.channels.public,
    topic: 'x',
    content: 'y',
    scheduled_delivery_timestamp: soon(world),
  }),
  'scheduledMessages.edit': async (world, caller) => ({
    scheduled_message_id: await oneOf(caller, world),
    content: 'another',
  }),
  'scheduledMessages.list': () => ({}),
  'scheduledMessages.delete': async (world, caller) => ({ scheduled_message_id: await oneOf(caller, world) }),
};

export const changes: Changes = {
  'scheduledMessages.create': {
    'to a channel and to users': async (world) => {
      await schedule(world, 'hamlet');
      await schedule(world, 'hamlet', { type: 'direct', to: [world.users.cordelia] }, 2 * MINUTE);
    },
    'that are sent': async (world) => {
      await schedule(world, 'hamlet', { content: 'For @**Cordelia**' });
      await schedule(world, 'hamlet', { type: 'direct', to: [world.users.cordelia, world.users.moderator] });
      await schedule(world, 'guest', { to: world.channels.webPublic, topic: 'tides' });
      world.clock.advance({ seconds: MINUTE });
      await world.chat.runDue();
    },
    'that cannot be sent': async (world) => {
      await schedule(world, 'hamlet');
      await schedule(world, 'cordelia');
      await world.as('owner').channels.archive({ stream_id: world.channels.public });
      world.clock.advance({ seconds: MINUTE });
      await world.chat.runDue();
    },
  },
  'scheduledMessages.edit': {
    'content, recipients and time': async (world) => {
      const scheduled_message_id = await schedule(world, 'hamlet');
      const { as, users } = world;
      await as('hamlet').scheduledMessages.edit({ scheduled_message_id, content: 'another' });
      await as('hamlet').scheduledMessages.edit({ scheduled_message_id, type: 'direct', to: [users.cordelia] });
      await as('hamlet').scheduledMessages.edit({
        scheduled_message_id,
        scheduled_delivery_timestamp: soon(world, 5 * MINUTE),
      });
    },
  },
  'scheduledMessages.delete': {
    'one of two scheduled messages': async (world) => {
      const scheduled_message_id = await schedule(world, 'hamlet');
      await schedule(world, 'hamlet', { topic: 'another' });
      await world.as('hamlet').scheduledMessages.delete({ scheduled_message_id });
    },
  },
};

export const statements: ScalingCalls = {
  'scheduledMessages.create': {
    'to a channel': ({ world, crowded }) => schedule(world, 'hamlet', { to: crowded }),
    'to several users': ({ world, users }) => schedule(world, 'hamlet', { type: 'direct', to: users }),
  },
  'scheduledMessages.edit': async ({ world }) => {
    const scheduled_message_id = await insertOne(world, 'hamlet');
    await world.as('hamlet').scheduledMessages.edit({ scheduled_message_id, content: 'another' });
  },
  'scheduledMessages.list': ({ world }) => world.as('hamlet').scheduledMessages.list(),
  'scheduledMessages.delete': async ({ world }) => {
    const scheduled_message_id = await insertOne(world, 'hamlet');
    await world.as('hamlet').scheduledMessages.delete({ scheduled_message_id });
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.scheduledMessages.of(id)));
};

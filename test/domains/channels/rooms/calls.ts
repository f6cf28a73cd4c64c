import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const external_id = 'order-17';
const room = { external_id, name: 'Order 17', staff: 'kitchen' };
const ensure = ({ chat, users }: World) => chat.rooms.ensure({ ...room, members: [users.guest] });

export const matrix: PlainCalls = {
  'rooms.ensure': ({ users }) => ({ ...room, members: [users.guest] }),
  'rooms.close': async (world) => {
    await ensure(world);
    return { external_id };
  },
};

export const changes: Changes = {
  'rooms.ensure': {
    'a new room': ensure,
    'a room with other people and another name': async (world) => {
      await ensure(world);
      const { chat, users } = world;
      await chat.rooms.ensure({ external_id, name: 'Order 17a', members: [users.newcomer], staff: 'cooks' });
    },
    'a closed room opened for others': async (world) => {
      await ensure(world);
      const { chat, users } = world;
      await chat.rooms.close({ external_id });
      await chat.rooms.ensure({ ...room, members: [users.guest, users.newcomer] });
    },
    'a closed room that a guest leaves': async (world) => {
      await ensure(world);
      await world.chat.rooms.close({ external_id });
      await world.chat.rooms.ensure({ ...room, members: [] });
    },
  },
  'rooms.close': {
    'a room': async (world) => {
      await ensure(world);
      await world.chat.rooms.close({ external_id });
    },
  },
};

export const statements: ScalingCalls = {
  'rooms.ensure': {
    'a new room': ({ world, users }) => world.chat.rooms.ensure({ external_id, name: 'Order 17', members: users }),
  },
};

import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const external_id = 'order-17';

const open = async (world: World) => {
  const { chat, users, kept } = world;
  const members = [users.guest];
  kept.room = (await chat.rooms.ensure({ external_id, name: 'Order 17', members, staff: 'kitchen' })).stream_id;
  const to = { type: 'channel', to: kept.room, topic: '' } as const;
  kept.message = (await world.as('hamlet').messages.send({ ...to, content: 'It is on its way.' })).id;
};

export const closeRoomCases = cases('rooms.close', [
  {
    name: 'members and staff read a closed room, and cannot write',
    as: 'owner',
    given: open,
    call: ['rooms.close', { external_id }],
    returns: ({ kept }) => ({ stream_id: kept.room as number }),
    events: () => ({
      guest: [
        { type: 'update_message_flags', op: 'add', flag: 'read' },
        { type: 'stream', op: 'delete' },
      ],
      newcomer: [],
    }),
    async state({ as, kept }) {
      await as('guest').messages.get({ message_id: kept.message as number });
      const message = { type: 'channel', to: kept.room as number, topic: '', content: 'Thanks' } as const;
      await assert.rejects(as('guest').messages.send(message), { code: 'BAD_REQUEST' });
    },
  },
  {
    name: 'a closed room stays closed',
    as: 'owner',
    given: async (world) => {
      await open(world);
      await world.chat.rooms.close({ external_id });
    },
    call: ['rooms.close', { external_id }],
    returns: ({ kept }) => ({ stream_id: kept.room as number }),
    events: () => ({ guest: [], hamlet: [] }),
  },
  {
    name: 'an unknown room is refused',
    as: 'owner',
    call: ['rooms.close', { external_id: 'order-18' }],
    refuses: { code: 'BAD_REQUEST', says: /^There is no room with the external ID "order-18"\.$/ },
  },
  {
    name: 'a channel that is not a room is refused',
    as: 'owner',
    given: ({ storage, channels }) => storage.write((tx) => tx.channels.update(channels.public, { external_id })),
    call: ['rooms.close', { external_id }],
    refuses: { code: 'EXTERNAL_ID_IN_USE', data: { list: 'channels', external_id } },
  },
  {
    name: 'an administrator is refused',
    as: 'administrator',
    given: open,
    call: ['rooms.close', { external_id }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /owner/ },
  },
]);

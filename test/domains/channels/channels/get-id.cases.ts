import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

export const getChannelIdCases = cases('channels.getId', [
  {
    name: 'a channel is found by name, whatever its case',
    as: 'newcomer',
    call: ['channels.getId', { stream: ' dENMARK ' }],
    returns: ({ channels }) => ({ stream_id: channels.public }),
  },
  {
    name: 'a channel the caller cannot see is refused as missing',
    as: 'newcomer',
    call: ['channels.getId', { stream: 'Council' }],
    refuses: { code: 'BAD_REQUEST', says: /"Council" that you can access/ },
  },
  {
    name: 'a missing channel is refused with the same message as a hidden one',
    as: 'newcomer',
    call: ['channels.getId', { stream: 'Elba' }],
    refuses: { code: 'BAD_REQUEST', says: /"Elba" that you can access/ },
  },
  {
    name: 'an archived channel is refused as missing',
    as: 'hamlet',
    call: ['channels.getId', { stream: 'Ruins' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a closed room is found by its external ID',
    as: 'guest',
    given: async ({ chat, users, kept }) => {
      const room = { external_id: 'order-17', name: 'Order 17', members: [users.guest] };
      kept.room = (await chat.rooms.ensure(room)).stream_id;
      await chat.rooms.close({ external_id: 'order-17' });
    },
    call: ['channels.getId', { stream: 'external:order-17' }],
    returns: ({ kept }) => ({ stream_id: kept.room as number }),
  },
  ...(['order-17', 'order-18'] as const).map((external_id) => ({
    name: `the external ID ${external_id}, of a room of others or of none, is refused as missing, whatever channel has it as name`,
    as: 'hamlet' as const,
    given: async ({ chat, users }: World) => {
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [users.guest] });
      await chat.system().channels.create({ name: `external:${external_id}`, subscribers: [users.hamlet] });
    },
    call: ['channels.getId', { stream: `external:${external_id}` }] as const,
    refuses: { code: 'BAD_REQUEST', says: new RegExp(`^There is no channel named "external:${external_id}" that`) },
  })),
  {
    name: 'stream is required',
    as: 'hamlet',
    call: ['channels.getId', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'stream' } },
  },
]);

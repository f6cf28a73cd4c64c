import { cases } from '../../../world/case.ts';
import type { ChannelName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const archiving = (channel: ChannelName) =>
  ['channels.archive', ({ channels }: World) => ({ stream_id: channels[channel] })] as const;
/** What clients hear that do not know archived channels, as these observers. */
const deletion = ({ channels }: World, channel: ChannelName) => ({
  type: 'stream',
  op: 'delete',
  stream_ids: [channels[channel]],
});

export const archiveChannelCases = cases('channels.archive', [
  {
    name: 'an administrator archives a channel, and all members get the event',
    as: 'administrator',
    call: archiving('public'),
    events: (world) => ({ cordelia: [deletion(world, 'public')], newcomer: [deletion(world, 'public')], guest: [] }),
    state: async (world) => {
      const { streams } = await world.as('owner').channels.list({ exclude_archived: false });
      if (!streams.find((one) => one.stream_id === world.channels.public)?.is_archived) throw new Error('not archived');
    },
  },
  {
    name: 'only users who can see a private channel get the event of its archiving',
    as: 'owner',
    call: archiving('shared'),
    events: (world) => ({
      hamlet: [deletion(world, 'shared')],
      administrator: [deletion(world, 'shared')],
      cordelia: [],
    }),
  },
  {
    name: 'an archived channel is removed from the default channels',
    as: 'owner',
    call: archiving('default'),
    events: (world) => ({
      newcomer: [deletion(world, 'default'), { type: 'default_streams', default_streams: [] }],
      guest: [deletion(world, 'default')],
    }),
  },
  {
    name: 'a member is refused',
    as: 'hamlet',
    call: archiving('public'),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'a channel that is already archived is refused as missing',
    as: 'owner',
    call: archiving('archived'),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a private channel the caller cannot see is refused as missing',
    as: 'cordelia',
    call: archiving('shared'),
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
]);

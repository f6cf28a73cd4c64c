import { cases } from '../../../world/case.ts';

export const addDefaultChannelCases = cases('defaultChannels.add', [
  {
    name: 'a channel becomes a default channel; members get the event, guests do not',
    as: 'administrator',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.quiet })],
    events: ({ channels }) => ({
      newcomer: [{ type: 'default_streams', default_streams: [channels.quiet, channels.default] }],
      guest: [],
    }),
  },
  {
    name: 'adding a default channel again sends no event',
    as: 'administrator',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.default })],
    events: () => ({ newcomer: [] }),
  },
  {
    name: 'a private channel is refused',
    as: 'owner',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.shared })],
    refuses: { code: 'BAD_REQUEST', says: /private/ },
  },
  {
    name: 'an archived channel is refused as missing',
    as: 'owner',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.archived })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a non-administrator is refused before the parameters are read',
    as: 'moderator',
    call: ['defaultChannels.add', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

import { cases } from '../../../world/case.ts';

export const addDefaultChannelCases = cases('defaultChannels.add', [
  {
    name: 'makes a channel a default one; members learn of it, guests do not',
    as: 'administrator',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.quiet })],
    events: ({ channels }) => ({
      newcomer: [{ type: 'default_streams', default_streams: [channels.quiet, channels.default] }],
      guest: [],
    }),
  },
  {
    name: 'a default channel stays one without an event',
    as: 'administrator',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.default })],
    events: () => ({ newcomer: [] }),
  },
  {
    name: 'a private channel cannot be one',
    as: 'owner',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.shared })],
    refuses: { code: 'BAD_REQUEST', says: /private/ },
  },
  {
    name: 'an archived channel is as missing',
    as: 'owner',
    call: ['defaultChannels.add', ({ channels }) => ({ stream_id: channels.archived })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'only administrators may, which is checked before the parameters',
    as: 'moderator',
    call: ['defaultChannels.add', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

import { cases } from '../../../world/case.ts';

export const removeDefaultChannelCases = cases('defaultChannels.remove', [
  {
    name: 'makes a channel no longer a default one',
    as: 'administrator',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.default })],
    events: () => ({ newcomer: [{ type: 'default_streams', default_streams: [] }], guest: [] }),
  },
  {
    name: 'another channel stays as it is',
    as: 'administrator',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.quiet })],
    events: () => ({ newcomer: [] }),
  },
  {
    name: 'only administrators may',
    as: 'hamlet',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.default })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

import { cases } from '../../../world/case.ts';

export const removeDefaultChannelCases = cases('defaultChannels.remove', [
  {
    name: 'a channel is removed from the default channels',
    as: 'administrator',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.default })],
    events: () => ({ newcomer: [{ type: 'default_streams', default_streams: [] }], guest: [] }),
  },
  {
    name: 'removing a channel that is not a default channel changes nothing',
    as: 'administrator',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.quiet })],
    events: () => ({ newcomer: [] }),
  },
  {
    name: 'a non-administrator is refused',
    as: 'hamlet',
    call: ['defaultChannels.remove', ({ channels }) => ({ stream_id: channels.default })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

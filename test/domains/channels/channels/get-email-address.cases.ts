import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';

const call = (channel: ChannelName): Case['call'] => [
  'channels.getEmailAddress',
  ({ channels }) => ({ stream_id: channels[channel] }),
];

const refused = (name: string, as: UserName, channel: ChannelName, says: RegExp, given?: Case['given']): Case => ({
  name: `B11: ${name}`,
  as,
  ...(given && { given }),
  call: call(channel),
  refuses: { code: 'BAD_REQUEST', says },
});

export const getChannelEmailAddressCases = cases('channels.getEmailAddress', [
  { name: 'B11: the address of a channel is empty', as: 'hamlet', call: call('public'), returns: { email: '' } },
  { name: 'B11: a subscribed guest gets the address', as: 'guest', call: call('webPublic'), returns: { email: '' } },
  { name: 'B11: a bot gets the address', as: 'bot', call: call('quiet'), returns: { email: '' } },
  refused(
    'a user who may not post in the channel is refused',
    'hamlet',
    'public',
    /not allowed to send/,
    ({ storage, channels }) =>
      storage.write((tx) => tx.channels.update(channels.public, { settings: { can_send_message_group: 2 } })),
  ),
  refused('a hidden channel is refused as missing', 'cordelia', 'shared', /that you can access/),
  refused('an archived channel is refused', 'hamlet', 'archived', /is archived/),
]);

import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';

const call = (channel: ChannelName, sender?: UserName): Case['call'] => [
  'channels.getEmailAddress',
  ({ channels, users }) => ({ stream_id: channels[channel], ...(sender && { sender_id: users[sender] }) }),
];

const refused = (name: string, as: UserName, channel: ChannelName, says: RegExp, given?: Case['given']): Case => ({
  name: `B11: ${name}`,
  as,
  ...(given && { given }),
  call: call(channel),
  refuses: { code: 'BAD_REQUEST', says },
});

export const getChannelEmailAddressCases = cases('channels.getEmailAddress', [
  {
    name: 'B11: without mail, the address of a channel is empty',
    as: 'hamlet',
    call: call('public'),
    returns: { email: '' },
  },
  { name: 'B11: a subscribed guest gets the address', as: 'guest', call: call('webPublic'), returns: { email: '' } },
  { name: 'B11: a bot gets the address', as: 'bot', call: call('quiet'), returns: { email: '' } },
  {
    name: 'B11: a user chooses the own account as the sender',
    as: 'hamlet',
    call: call('public', 'hamlet'),
    returns: { email: '' },
  },
  {
    name: 'B11: another user cannot be the sender',
    as: 'hamlet',
    call: call('public', 'cordelia'),
    refuses: { code: 'BAD_REQUEST', says: /^sender_id must be your account, a bot that you own, or Email Gateway\.$/ },
  },
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

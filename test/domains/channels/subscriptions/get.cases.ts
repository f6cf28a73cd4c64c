import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';

const asking = (
  name: string,
  as: UserName,
  [who, where]: readonly [UserName, ChannelName],
  then: Pick<Case, 'returns' | 'refuses' | 'given'>,
): Case => ({
  name,
  as,
  call: ['subscriptions.get', ({ users, channels }) => ({ user_id: users[who], stream_id: channels[where] })],
  ...then,
});
const REFUSED = { refuses: { code: 'BAD_REQUEST', says: /that you can access/ } };

export const getSubscriptionCases = cases('subscriptions.get', [
  asking('a subscribed user is reported as subscribed', 'newcomer', ['hamlet', 'public'], {
    returns: { is_subscribed: true },
  }),
  asking('a user without a subscription is reported as not subscribed', 'newcomer', ['newcomer', 'public'], {
    returns: { is_subscribed: false },
  }),
  asking('a user who left the channel is reported as not subscribed', 'newcomer', ['hamlet', 'public'], {
    given: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: ['Denmark'] }),
    returns: { is_subscribed: false },
  }),
  asking('an administrator gets subscriptions of a private channel', 'administrator', ['hamlet', 'shared'], {
    returns: { is_subscribed: true },
  }),
  asking('a channel the caller cannot see is refused as missing', 'cordelia', ['hamlet', 'shared'], REFUSED),
  asking(
    'a public channel is refused as missing to a guest who is not subscribed',
    'guest',
    ['hamlet', 'public'],
    REFUSED,
  ),
  asking('F10: an archived channel is refused as archived', 'hamlet', ['hamlet', 'archived'], {
    refuses: { code: 'BAD_REQUEST', says: /is archived/ },
  }),
  asking('a deactivated account is refused', 'hamlet', ['deactivated', 'public'], {
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  }),
  {
    ...asking('a user the guest cannot see is refused', 'guest', ['owner', 'webPublic'], {
      given: (world) => world.settings({ can_access_all_users_group: 6 }),
      refuses: { code: 'BAD_REQUEST', says: /There is no user/ },
    }),
  },
  {
    name: 'an unknown user is refused with the same message as a hidden one',
    as: 'guest',
    call: ['subscriptions.get', ({ channels }) => ({ user_id: 9999, stream_id: channels.webPublic })],
    refuses: { code: 'BAD_REQUEST', says: /There is no user/ },
  },
]);

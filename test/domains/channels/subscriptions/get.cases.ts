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
  asking('tells that somebody is subscribed', 'newcomer', ['hamlet', 'public'], { returns: { is_subscribed: true } }),
  asking('tells that somebody is not', 'newcomer', ['newcomer', 'public'], { returns: { is_subscribed: false } }),
  asking('who has left is not subscribed', 'newcomer', ['hamlet', 'public'], {
    given: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: ['Denmark'] }),
    returns: { is_subscribed: false },
  }),
  asking('an administrator may know of a private channel', 'administrator', ['hamlet', 'shared'], {
    returns: { is_subscribed: true },
  }),
  asking('a hidden channel is refused as if there were none', 'cordelia', ['hamlet', 'shared'], REFUSED),
  asking('so is a public one to guests who are not in it', 'guest', ['hamlet', 'public'], REFUSED),
  asking('an archived channel is refused', 'hamlet', ['hamlet', 'archived'], REFUSED),
  asking('a deactivated account is refused', 'hamlet', ['deactivated', 'public'], {
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  }),
  {
    ...asking('guests are told nothing of people they cannot see', 'guest', ['owner', 'webPublic'], {
      given: (world) => world.settings({ can_access_all_users_group: 6 }),
      refuses: { code: 'BAD_REQUEST', says: /There is no user/ },
    }),
  },
  {
    name: 'an unknown account is refused in the same words',
    as: 'guest',
    call: ['subscriptions.get', ({ channels }) => ({ user_id: 9999, stream_id: channels.webPublic })],
    refuses: { code: 'BAD_REQUEST', says: /There is no user/ },
  },
]);

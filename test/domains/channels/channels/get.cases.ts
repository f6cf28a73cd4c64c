import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const sees = (name: string, as: UserName, channel: ChannelName, given?: Case['given']): Case => ({
  name,
  as,
  call: ['channels.get', ({ channels }) => ({ stream_id: channels[channel] })],
  ...(given ? { given } : {}),
  returns: ({ channels }) => ({ stream: { stream_id: channels[channel] } }),
});
const seesNot = (name: string, as: UserName, channel: ChannelName, given?: Case['given']): Case => ({
  name,
  as,
  call: ['channels.get', ({ channels }) => ({ stream_id: channels[channel] })],
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
});

const grants = (key: string, group: (world: World) => number) => (world: World) =>
  world.storage.write((tx) => tx.channels.update(world.channels.shared, { settings: { [key]: group(world) } }));

const withSetting = (key: string) => [
  sees(
    `a member of ${key} can get a private channel`,
    'cordelia',
    'shared',
    grants(key, ({ groups }) => groups.cooks),
  ),
  seesNot(
    `a guest does not get a private channel, even as a member of ${key}`,
    'guest',
    'shared',
    grants(key, () => 7),
  ),
];

export const getChannelCases = cases('channels.get', [
  {
    name: 'the response has all fields of a channel',
    as: 'newcomer',
    call: ['channels.get', ({ channels }) => ({ stream_id: channels.public })],
    returns: ({ users, channels }) => ({
      stream: {
        stream_id: channels.public,
        name: 'Denmark',
        description: 'All about Denmark',
        rendered_description: '<p>All about Denmark</p>',
        date_created: Date.UTC(2026, 2, 2, 9) / 1000,
        creator_id: users.owner,
        invite_only: false,
        is_web_public: false,
        is_archived: false,
        history_public_to_subscribers: true,
        stream_post_policy: 1,
        is_announcement_only: false,
        message_retention_days: null,
        topics_policy: 'inherit',
        first_message_id: (id: unknown) => typeof id === 'number',
        folder_id: null,
        is_recently_active: true,
        subscriber_count: 3,
        stream_weekly_traffic: null,
      },
    }),
  },
  {
    name: 'a channel without messages for half a year is not recently active',
    as: 'newcomer',
    given: async (world) => world.clock.advance({ days: 180 }),
    call: ['channels.get', ({ channels }) => ({ stream_id: channels.public })],
    returns: { stream: { is_recently_active: false } },
  },
  seesNot('a guest does not get a public channel without a subscription', 'guest', 'public'),
  sees('a guest gets channels they are subscribed to', 'guest', 'protected'),
  sees('a guest sees web-public channels', 'guest', 'webPublic'),
  sees('an administrator gets a private channel without a subscription', 'administrator', 'shared'),
  seesNot('a moderator does not get a private channel without a subscription', 'moderator', 'protected'),
  sees('an archived channel is returned', 'newcomer', 'archived'),
  ...['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'].flatMap(withSetting),
  {
    name: 'a channel that does not exist gives the same refusal as a hidden one',
    as: 'owner',
    call: ['channels.get', { stream_id: 9999 }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
]);

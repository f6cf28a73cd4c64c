import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNEL_KEYS } from '../../../world/event-keys.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';

const lists = (name: string, as: UserName, params: object, ...names: ChannelName[]): Case => ({
  name,
  as,
  call: ['channels.list', { ...params }],
  returns: {
    streams: (streams: { name: string }[]) => {
      assert.deepEqual(streams.map((one) => one.name).sort(), names.map((one) => CHANNELS[one]).sort());
      return true;
    },
  },
});

const none = { include_public: false, include_subscribed: false };

export const listChannelsCases = cases('channels.list', [
  lists(
    'a member gets public channels and their subscribed channels',
    'cordelia',
    {},
    'public',
    'quiet',
    'webPublic',
    'default',
    'protected',
  ),
  lists(
    'an owner gets no private channels without a subscription',
    'owner',
    {},
    'public',
    'quiet',
    'webPublic',
    'default',
  ),
  lists('a guest gets their subscribed channels', 'guest', {}, 'webPublic', 'default', 'protected'),
  lists(
    'include_public false leaves public channels out',
    'cordelia',
    { include_public: false },
    'public',
    'protected',
  ),
  lists(
    'include_subscribed false leaves subscribed channels out',
    'cordelia',
    { include_subscribed: false },
    'public',
    'quiet',
    'webPublic',
    'default',
  ),
  lists('a request that excludes every kind of channel gets an empty list', 'cordelia', none),
  lists('include_web_public gives web-public channels', 'cordelia', { ...none, include_web_public: true }, 'webPublic'),
  lists(
    'exclude_archived false adds archived channels',
    'hamlet',
    { exclude_archived: false },
    'public',
    'quiet',
    'webPublic',
    'default',
    'shared',
    'archived',
  ),
  lists(
    'include_all gives every channel the caller can see',
    'owner',
    { include_all: true },
    'public',
    'quiet',
    'webPublic',
    'shared',
    'protected',
    'default',
  ),
  lists(
    'include_all gives a member no hidden private channels',
    'newcomer',
    { include_all: true },
    'public',
    'quiet',
    'webPublic',
    'default',
  ),
  lists(
    'include_all_active gives an administrator all channels',
    'administrator',
    { include_all_active: true },
    'public',
    'quiet',
    'webPublic',
    'shared',
    'protected',
    'default',
  ),
  {
    name: 'include_all_active is refused to members',
    as: 'moderator',
    call: ['channels.list', { include_all_active: true }],
    refuses: { code: 'BAD_REQUEST', says: /administrators/ },
  },
  lists(
    'include_owner_subscribed gives a bot the channels of its owner',
    'bot',
    { ...none, include_owner_subscribed: true },
    'public',
    'webPublic',
    'default',
  ),
  lists(
    'include_can_access_content gives every channel the caller can read',
    'newcomer',
    { ...none, include_can_access_content: true },
    'public',
    'quiet',
    'webPublic',
    'default',
  ),
  {
    name: 'include_default marks default channels',
    as: 'hamlet',
    call: ['channels.list', { include_default: true }],
    returns: {
      streams: (streams: { name: string; is_default: boolean }[]) =>
        streams.every((one) => one.is_default === (one.name === CHANNELS.default)),
    },
  },
  {
    name: 'a channel has exactly the keys clients know',
    as: 'hamlet',
    call: ['channels.list'],
    returns: {
      streams: (streams: object[]) => {
        for (const one of streams) assert.deepEqual(Object.keys(one).sort(), [...CHANNEL_KEYS].sort());
        return streams.length > 0;
      },
    },
  },
  {
    name: 'a deactivated account is not shown in permission values',
    as: 'owner',
    given: ({ storage, channels, users }) =>
      storage.write((tx) =>
        tx.channels.update(channels.public, {
          settings: {
            can_send_message_group: { direct_members: [users.hamlet, users.deactivated], direct_subgroups: [] },
          },
        }),
      ),
    call: ['channels.list'],
    returns: ({ users, channels }) => ({
      streams: (streams: { stream_id: number; can_send_message_group: unknown }[]) => {
        const found = streams.find((one) => one.stream_id === channels.public);
        assert.deepEqual(found?.can_send_message_group, { direct_members: [users.hamlet], direct_subgroups: [] });
        return true;
      },
    }),
  },
]);

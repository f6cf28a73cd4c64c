import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import { channelSettings, posting, refused, sent, writing } from './sending.ts';

const posts = (name: string, as: UserName, to: ChannelName, given?: Case['given']): Case => ({
  name,
  as,
  call: posting(to),
  ...(given ? { given } : {}),
  returns: sent,
});
const postsNot = (name: string, as: UserName, to: ChannelName, given?: Case['given']): Case =>
  refused(name, as, posting(to), undefined, given);

/** A hidden channel is refused like a missing one. */
const hiddenFrom = (name: string, as: UserName, to: ChannelName): Case => ({
  name,
  as,
  call: posting(to),
  refuses: { code: 'STREAM_DOES_NOT_EXIST', data: ({ channels }) => ({ stream_id: channels[to] }) },
});

const MODERATORS = 4;

/** Permissions for channels and direct messages. */
export const sendPermissionCases = cases('messages.send', [
  posts('posting to a public channel does not need a subscription', 'moderator', 'public'),
  hiddenFrom('a public channel is missing to a guest who is not in it', 'guest', 'public'),
  posts('a guest posts to a channel they are subscribed to', 'guest', 'default'),
  posts('a guest posts to a web-public channel', 'guest', 'webPublic'),
  hiddenFrom('a private channel is missing to a member who is not in it', 'cordelia', 'shared'),
  {
    name: 'a private channel is missing by its name too, with stream',
    as: 'cordelia',
    call: ['messages.send', { type: 'channel', to: CHANNELS.shared, topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: CHANNELS.shared } },
  },
  postsNot('an owner cannot post to a private channel they are not in', 'owner', 'shared'),
  posts('a subscriber posts to a private channel', 'moderator', 'shared'),
  posts('a bot posts where its owner is subscribed', 'bot', 'shared'),
  posts('an incoming-webhook bot posts to a channel', 'webhook', 'public'),
  postsNot('a message to an archived channel is refused', 'hamlet', 'archived'),
  postsNot(
    'posting needs can_send_message_group',
    'hamlet',
    'public',
    channelSettings('public', { settings: { can_send_message_group: MODERATORS } }),
  ),
  posts(
    'a member of can_send_message_group posts to the channel',
    'moderator',
    'public',
    channelSettings('public', { settings: { can_send_message_group: MODERATORS } }),
  ),
  posts(
    'a bot may post where its owner is in can_send_message_group',
    'bot',
    'public',
    channelSettings('public', ({ users }) => ({
      settings: { can_send_message_group: { direct_members: [users.hamlet], direct_subgroups: [] } },
    })),
  ),
  postsNot('a bot cannot post with the permission of its deactivated owner', 'bot', 'public', async (world) => {
    const { users, channels } = world;
    const owner = world.as('owner');
    const onlyHamlet = { direct_members: [users.hamlet], direct_subgroups: [] };
    await owner.channels.edit({ stream_id: channels.public, can_send_message_group: { new: onlyHamlet } });
    await owner.users.deactivate({ user_id: users.hamlet });
    await owner.users.reactivate({ user_id: users.bot });
  }),
  posts(
    'a user who may subscribe to a private channel with shared history posts there',
    'cordelia',
    'shared',
    channelSettings('shared', ({ groups }) => ({ settings: { can_subscribe_group: groups.cooks } })),
  ),
  postsNot(
    'a user who may only subscribe to a private channel with protected history cannot post there',
    'hamlet',
    'protected',
    channelSettings('protected', ({ groups }) => ({ settings: { can_subscribe_group: groups.kitchen } })),
  ),
  {
    name: 'a restricted guest gets a hidden recipient refused as unknown',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: writing(['moderator']),
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID \d+\.$/ },
  },
  {
    name: 'a restricted guest gets a hidden deactivated user refused as unknown',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: writing(['deactivated']),
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID \d+\.$/ },
  },
  {
    name: 'the refusal names the first unknown or hidden recipient',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['messages.send', ({ users }) => ({ type: 'direct', to: [users.moderator, 9999], content: 'Hello' })],
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID (?!9999)\d+\.$/ },
  },
  {
    name: 'a restricted guest gets the address of a hidden user refused as unknown',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['messages.send', ({ emails }) => ({ type: 'direct', to: [emails.moderator], content: 'Hello' })],
    refuses: {
      code: 'BAD_REQUEST',
      says: /^Invalid email 'moderator@example.com': there is no user with this address\.$/,
    },
  },
  {
    name: 'an archived private channel the caller cannot see is refused as missing',
    as: 'cordelia',
    given: (world) => world.as('owner').channels.archive({ stream_id: world.channels.shared }),
    call: ['messages.send', { type: 'channel', to: CHANNELS.shared, topic: 'plans', content: 'Hello' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: CHANNELS.shared } },
  },
  {
    name: 'a restricted guest sends a direct message to a user they share a channel with',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: writing(['cordelia']),
    returns: sent,
  },
  refused(
    'a direct message is refused when direct messages are turned off',
    'hamlet',
    writing(['cordelia']),
    /does not allow direct messages/,
    (world) => world.settings({ direct_message_permission_group: 1 }),
  ),
  refused(
    'a direct message to a person and a bot is refused when direct messages are turned off',
    'hamlet',
    writing(['cordelia', 'bot']),
    /does not allow direct messages/,
    (world) => world.settings({ direct_message_permission_group: 1 }),
  ),
  {
    name: 'a direct message to oneself is sent when direct messages are turned off',
    as: 'hamlet',
    given: (world) => world.settings({ direct_message_permission_group: 1 }),
    call: writing(['hamlet']),
    returns: sent,
  },
  {
    name: 'a direct message to a bot is sent when direct messages are turned off',
    as: 'hamlet',
    given: (world) => world.settings({ direct_message_permission_group: 1 }),
    call: writing(['bot']),
    returns: sent,
  },
  refused(
    'a direct message without a participant in direct_message_permission_group is refused',
    'hamlet',
    writing(['cordelia']),
    undefined,
    (world) => world.settings({ direct_message_permission_group: MODERATORS }),
  ),
  {
    name: 'a sender in direct_message_permission_group may write to users outside it',
    as: 'moderator',
    given: (world) => world.settings({ direct_message_permission_group: MODERATORS }),
    call: writing(['cordelia']),
    returns: sent,
  },
  {
    name: 'one participant in direct_message_permission_group is enough',
    as: 'hamlet',
    given: (world) => world.settings({ direct_message_permission_group: MODERATORS }),
    call: writing(['moderator']),
    returns: sent,
  },
  refused(
    'starting a conversation needs direct_message_initiator_group',
    'newcomer',
    writing(['cordelia']),
    /start/,
    (world) => world.settings({ direct_message_initiator_group: MODERATORS }),
  ),
  {
    name: 'continuing a conversation does not need direct_message_initiator_group',
    as: 'cordelia',
    given: (world) => world.settings({ direct_message_initiator_group: MODERATORS }),
    call: writing(['hamlet']),
    returns: sent,
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: posting('public'),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
]);

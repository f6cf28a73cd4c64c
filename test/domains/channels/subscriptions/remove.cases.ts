import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import { inAnyOrder } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const {
  public: DENMARK,
  shared: COUNCIL,
  protected: VAULT,
  quiet: NORWAY,
  archived: RUINS,
  webPublic: HARBOUR,
} = CHANNELS;

const subscribers = async (world: World, channel: ChannelName) =>
  (await world.as('owner').channels.subscribers({ stream_id: world.channels[channel] })).subscribers;

/** A user removes other users from channels. */
const removing = (who: UserName | UserName[], ...subscriptions: string[]) =>
  [
    'subscriptions.remove',
    ({ users }: World) => ({ subscriptions, principals: [who].flat().map((name) => users[name]) }),
  ] as const;

/** Sets a permission of a channel to a group. */
const setting = (channel: ChannelName, key: string, value: (world: World) => unknown) => (world: World) =>
  world.storage.write(async (tx) => {
    const found = await tx.channels.byId(world.channels[channel]);
    assert.ok(found);
    await tx.channels.update(found.id, { settings: { ...found.settings, [key]: value(world) as number } });
  });

const mayNot = (name: string, as: UserName, call: Case['call'], given?: Case['given']): Case => ({
  name,
  as,
  call,
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
});

const MEMBERS = 6;
const EVERYONE = 7;

const parameters: Case[] = [
  {
    name: 'subscriptions is required',
    as: 'hamlet',
    call: ['subscriptions.remove', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'subscriptions' } },
  },
  {
    name: 'subscriptions are channel names in a list',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: DENMARK }],
    refuses: { code: 'BAD_REQUEST', says: /subscriptions/ },
  },
  {
    name: 'subscriptions are names, not IDs',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [1] }],
    refuses: { code: 'BAD_REQUEST', says: /subscriptions\[0\]/ },
  },
  {
    name: 'principals that are not a list are refused',
    as: 'owner',
    call: ['subscriptions.remove', { subscriptions: [DENMARK], principals: 'all of them' }],
    refuses: { code: 'BAD_REQUEST', says: /principals/ },
  },
  {
    name: 'an empty name is refused',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [' '] }],
    refuses: { code: 'BAD_REQUEST', says: /empty/ },
  },
  {
    name: 'an overlong name is refused',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: ['x'.repeat(61)] }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 60/ },
  },
];

const oneself: Case[] = [
  {
    name: 'a request without principals unsubscribes the caller',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    returns: { removed: [DENMARK], not_removed: [] },
    state: async (world) => assert.ok(!(await subscribers(world, 'public')).includes(world.users.hamlet)),
  },
  {
    // Python clients before 0.8.2 always send the list. `chatctl` does nothing for no users.
    only: 'HTTP',
    name: 'an empty list of principals means the caller',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK], principals: [] }],
    returns: { removed: [DENMARK], not_removed: [] },
    state: async (world) => assert.ok(!(await subscribers(world, 'public')).includes(world.users.hamlet)),
  },
  {
    name: 'channels already unsubscribed are listed in not_removed',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK, NORWAY] }],
    returns: { removed: [DENMARK], not_removed: [NORWAY] },
  },
  {
    name: 'unsubscribing again changes nothing and sends no event',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [NORWAY] }],
    returns: { removed: [], not_removed: [NORWAY] },
    events: () => ({ hamlet: [], owner: [] }),
  },
  {
    name: 'a channel is found whatever the case and spaces of its name, which is returned as stored',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [' dENMARK ', DENMARK] }],
    returns: { removed: [DENMARK], not_removed: [] },
  },
  {
    name: 'an empty list of channels is accepted',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [] }],
    returns: { removed: [], not_removed: [] },
  },
  {
    name: 'a guest may leave a private channel',
    as: 'guest',
    call: ['subscriptions.remove', { subscriptions: [VAULT] }],
    returns: { removed: [VAULT], not_removed: [] },
  },
  {
    name: 'an archived channel can be left',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [RUINS] }],
    returns: { removed: [RUINS], not_removed: [] },
  },
  {
    name: 'a private channel still exists without subscribers',
    as: 'owner',
    call: removing(['moderator', 'hamlet'], COUNCIL),
    returns: { removed: [COUNCIL, COUNCIL], not_removed: [] },
    state: async (world) => {
      const { stream } = await world.as('owner').channels.get({ stream_id: world.channels.shared });
      assert.equal(stream.is_archived, false);
    },
  },
  {
    name: 'settings of a subscription stay after leaving and joining again',
    as: 'hamlet',
    given: (world) =>
      world.as('hamlet').subscriptions.updateProperties({
        subscription_data: [{ stream_id: world.channels.public, property: 'pin_to_top', value: true }],
      }),
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    state: async (world) => {
      await world.as('hamlet').subscriptions.add({ subscriptions: [{ name: DENMARK }] });
      const { subscriptions } = await world.as('hamlet').subscriptions.list();
      assert.equal(subscriptions.find((one) => one.name === DENMARK)?.pin_to_top, true);
    },
  },
  {
    name: 'unread messages of the left channel count as read',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    state: async (world) => {
      const { message } = await world.as('hamlet').messages.get({ message_id: world.messages.ghostReply });
      assert.ok(message.flags?.includes('read'));
    },
  },
];

const others: Case[] = [
  {
    name: 'organization administrators may remove any user from any channel',
    as: 'administrator',
    call: removing(['hamlet', 'cordelia'], DENMARK, COUNCIL),
    returns: { removed: inAnyOrder(DENMARK, DENMARK, COUNCIL), not_removed: [COUNCIL] },
  },
  {
    name: 'organization administrators may remove users from private channels they are not in',
    as: 'owner',
    call: removing('cordelia', VAULT),
    returns: { removed: [VAULT], not_removed: [] },
  },
  {
    name: 'a user may remove a bot the user owns from any channel the user can access',
    as: 'hamlet',
    given: (world) =>
      world.as('hamlet').subscriptions.add({ subscriptions: [{ name: DENMARK }], principals: [world.users.bot] }),
    call: removing('bot', DENMARK),
    returns: { removed: [DENMARK], not_removed: [] },
  },
  {
    name: 'a user may remove themselves and their own bot in one request',
    as: 'hamlet',
    call: removing(['bot', 'hamlet'], DENMARK),
    returns: { removed: [DENMARK], not_removed: [DENMARK] },
  },
  mayNot('a user may not remove the bot of another user', 'cordelia', removing('bot', DENMARK)),
  mayNot('a member may not remove others', 'hamlet', removing('cordelia', DENMARK)),
  mayNot('a moderator may not remove others', 'moderator', removing('hamlet', COUNCIL)),
  {
    name: "a user who can access the channel and is a member of the channel's can_remove_subscribers_group may remove others",
    as: 'moderator',
    given: setting('public', 'can_remove_subscribers_group', ({ users }) => ({
      direct_members: [users.moderator],
      direct_subgroups: [],
    })),
    call: removing('hamlet', DENMARK),
    returns: { removed: [DENMARK], not_removed: [] },
  },
  {
    name: 'membership in can_remove_subscribers_group counts through subgroups',
    as: 'cordelia',
    given: setting('public', 'can_remove_subscribers_group', ({ groups }) => groups.kitchen),
    call: removing('hamlet', DENMARK),
    returns: { removed: [DENMARK], not_removed: [] },
  },
  {
    name: 'a private channel is refused as missing to a user without access, even in its can_remove_subscribers_group',
    as: 'newcomer',
    given: setting('protected', 'can_remove_subscribers_group', () => MEMBERS),
    call: removing('cordelia', VAULT),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: VAULT } },
  },
  {
    name: 'a user does not remove a bot of their own from a channel the user cannot access',
    as: 'hamlet',
    given: (world) =>
      world.as('cordelia').subscriptions.add({ subscriptions: [{ name: VAULT }], principals: [world.users.bot] }),
    call: removing('bot', VAULT),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: VAULT } },
  },
  mayNot(
    'a guest never removes others, even as a member of can_remove_subscribers_group',
    'guest',
    removing('cordelia', VAULT),
    setting('protected', 'can_remove_subscribers_group', () => EVERYONE),
  ),
  {
    name: 'a member of can_administer_channel_group may remove others',
    as: 'newcomer',
    given: setting('protected', 'can_administer_channel_group', ({ users }) => ({
      direct_members: [users.newcomer],
      direct_subgroups: [],
    })),
    call: removing('cordelia', VAULT),
    returns: { removed: [VAULT], not_removed: [] },
  },
  mayNot(
    'a caller who administers one of several channels is refused',
    'newcomer',
    removing('cordelia', VAULT, DENMARK),
    setting('protected', 'can_administer_channel_group', ({ users }) => ({
      direct_members: [users.newcomer],
      direct_subgroups: [],
    })),
  ),
  mayNot(
    'a caller without the permission for one of several channels is refused',
    'moderator',
    removing('hamlet', DENMARK, COUNCIL),
    setting('public', 'can_remove_subscribers_group', () => MEMBERS),
  ),
  {
    name: 'principals can be API e-mail addresses',
    as: 'owner',
    call: [
      'subscriptions.remove',
      { subscriptions: [DENMARK], principals: ['hamlet@EXAMPLE.com', 'cordelia@example.com'] },
    ],
    returns: { removed: [DENMARK, DENMARK], not_removed: [] },
  },
  {
    name: 'a principal can be a placeholder address',
    as: 'owner',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.hamlet, { email_visibility: 3 })),
    call: [
      'subscriptions.remove',
      ({ users }) => ({ subscriptions: [DENMARK], principals: [`user${users.hamlet}@chat.example.com`] }),
    ],
    returns: { removed: [DENMARK], not_removed: [] },
  },
  {
    name: 'removed and not_removed list a channel once for each user',
    as: 'owner',
    call: removing(['hamlet', 'cordelia', 'newcomer'], DENMARK),
    returns: { removed: [DENMARK, DENMARK], not_removed: [DENMARK] },
  },
];

const errors: Case[] = [
  {
    name: 'a missing channel is refused with STREAM_DOES_NOT_EXIST and its name in stream',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK, 'Elba'] }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elba' } },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'an unknown principal is refused',
    as: 'owner',
    call: ['subscriptions.remove', { subscriptions: [DENMARK], principals: [9999] }],
    refuses: { code: 'BAD_REQUEST', says: /9999/ },
  },
  {
    name: 'too many channel-user pairs are refused before users are looked up',
    as: 'administrator',
    call: [
      'subscriptions.remove',
      ({ users }) => ({
        subscriptions: Array.from({ length: 101 }, (_, n) => `room ${n}`),
        principals: Array<number>(100).fill(users.cordelia),
      }),
    ],
    refuses: { code: 'BAD_REQUEST', says: /10100 .* 10000/ },
  },
  {
    name: 'too many channels of one user are refused',
    as: 'cordelia',
    call: ['subscriptions.remove', { subscriptions: Array.from({ length: 10_001 }, (_, at) => `channel ${at}`) }],
    refuses: { code: 'BAD_REQUEST', says: /for one user are 10001 .* 10000/ },
  },
  {
    name: 'a deactivated principal is refused',
    as: 'owner',
    call: removing(['hamlet', 'deactivated'], DENMARK),
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  },
  {
    name: 'a principal with an unknown address is refused',
    as: 'owner',
    call: ['subscriptions.remove', { subscriptions: [DENMARK], principals: ['fortinbras@example.com'] }],
    refuses: { code: 'BAD_REQUEST', says: /fortinbras/ },
  },
  {
    name: 'a deactivated principal is refused before a missing channel',
    as: 'owner',
    call: removing('deactivated', 'Elba'),
    refuses: { code: 'BAD_REQUEST', says: /deactivated/ },
  },
  {
    name: 'a refusal for a missing permission does not name missing channels',
    as: 'hamlet',
    call: removing('cordelia', DENMARK, 'Elba'),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'a private channel is refused as missing to a user who left it',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').subscriptions.remove({ subscriptions: [VAULT] }),
    call: ['subscriptions.remove', { subscriptions: [VAULT] }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: VAULT } },
  },
  {
    name: 'a public channel the caller left is listed in not_removed',
    as: 'cordelia',
    given: ({ as }) => as('cordelia').subscriptions.remove({ subscriptions: [DENMARK] }),
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    returns: { removed: [], not_removed: [DENMARK] },
  },
  {
    name: 'an address hidden from a guest is refused as unknown, without its user ID',
    as: 'guest',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ['subscriptions.remove', ({ emails }) => ({ subscriptions: [HARBOUR], principals: [emails.moderator] })],
    refuses: {
      code: 'BAD_REQUEST',
      says: /^Invalid email 'moderator@example.com': there is no user with this address\.$/,
    },
  },
  {
    name: 'the refusal does not show a guest that a hidden user is deactivated',
    as: 'guest',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: removing('deactivated', HARBOUR),
    refuses: { code: 'BAD_REQUEST', says: /^There is no user with ID \d+\.$/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'an incoming-webhook bot cannot unsubscribe',
    as: 'webhook',
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
];

const gone = (world: World, channel: ChannelName) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: [{ name: CHANNELS[channel], stream_id: world.channels[channel] }],
});
const peer = (world: World, channel: ChannelName, user: UserName) => ({
  type: 'subscription',
  op: 'peer_remove',
  stream_ids: [world.channels[channel]],
  user_ids: [world.users[user]],
});

const events: Case[] = [
  {
    name: 'a user who leaves a public channel gets the event, and so do all members',
    as: 'hamlet',
    call: ['subscriptions.remove', { subscriptions: [DENMARK] }],
    events: (world) => ({
      hamlet: [
        gone(world, 'public'),
        {
          type: 'update_message_flags',
          op: 'add',
          flag: 'read',
          all: false,
          messages: (ids: number[]) => ids.includes(world.messages.ghostReply),
        },
      ],
      cordelia: [peer(world, 'public', 'hamlet')],
      newcomer: [peer(world, 'public', 'hamlet')],
      guest: [],
    }),
  },
  {
    name: 'a user removed from a private channel no longer sees it; only subscribers and administrators get the event',
    as: 'administrator',
    call: removing('cordelia', VAULT),
    events: (world) => ({
      cordelia: [
        gone(world, 'protected'),
        {
          type: 'stream',
          op: 'delete',
          stream_ids: [world.channels.protected],
          streams: [{ stream_id: world.channels.protected }],
        },
        { type: 'update_message_flags', op: 'add', flag: 'read' },
      ],
      guest: [peer(world, 'protected', 'cordelia')],
      owner: [peer(world, 'protected', 'cordelia')],
      administrator: [peer(world, 'protected', 'cordelia')],
      hamlet: [],
      moderator: [],
    }),
  },
  {
    // The reference server sends no event to users removed together, whose clients then show the others as subscribers
    // of a
    // channel that they still see. This server sends the event.
    name: 'H15: users removed together get the event of each other, and not of themselves',
    as: 'owner',
    call: removing(['hamlet', 'cordelia'], DENMARK),
    events: (world) => {
      const { users } = world;
      const others = (...user_ids: number[]) => ({ ...peer(world, 'public', 'hamlet'), user_ids });
      const read = { type: 'update_message_flags' };
      return {
        hamlet: [gone(world, 'public'), others(users.cordelia), read],
        cordelia: [gone(world, 'public'), others(users.hamlet), read],
        newcomer: [others(users.hamlet, users.cordelia)],
      };
    },
  },
  {
    name: 'a restricted guest no longer sees users without a shared channel',
    as: 'cordelia',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: ['subscriptions.remove', { subscriptions: [VAULT] }],
    events: ({ users }) => ({
      guest: [
        { type: 'subscription', op: 'peer_remove' },
        { type: 'realm_user', op: 'remove', person: { user_id: users.cordelia, full_name: 'Unknown user' } },
      ],
    }),
  },
  {
    name: 'a guest who leaves a web-public channel still sees it',
    as: 'guest',
    call: ['subscriptions.remove', { subscriptions: [HARBOUR] }],
    events: (world) => ({
      guest: [gone(world, 'webPublic'), { type: 'update_message_flags', op: 'add', flag: 'read' }],
      hamlet: [peer(world, 'webPublic', 'guest')],
    }),
  },
  {
    name: 'a guest who leaves a public channel no longer sees it',
    as: 'guest',
    call: ['subscriptions.remove', { subscriptions: [CHANNELS.default] }],
    events: (world) => ({
      guest: [
        gone(world, 'default'),
        { type: 'stream', op: 'delete', stream_ids: [world.channels.default] },
        { type: 'update_message_flags', op: 'add', flag: 'read' },
      ],
    }),
  },
];

export const removeSubscriptionsCases = cases('subscriptions.remove', [
  ...parameters,
  ...oneself,
  ...others,
  ...errors,
  ...events,
]);

import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const named = (...names: ChannelName[]) => names.map((name) => ({ name: CHANNELS[name] }));
const joining = (...names: ChannelName[]) => ['subscriptions.add', { subscriptions: named(...names) }] as const;
const adding = (who: UserName[], names: ChannelName[], more: object = {}) =>
  [
    'subscriptions.add',
    ({ users }: World) => ({ subscriptions: named(...names), principals: who.map((one) => users[one]), ...more }),
  ] as const;

const refused = (name: string, as: UserName, call: Case['call'], says?: RegExp, given?: Case['given']): Case => ({
  name,
  as,
  call,
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', ...(says ? { says } : {}) },
});

const grants = (channel: ChannelName, key: string, value: (world: World) => unknown) => (world: World) =>
  world.storage.write((tx) =>
    tx.channels.update(world.channels[channel], { settings: { [key]: value(world) as number } }),
  );

/** An administrator removes all subscribers of the private channel. */
const emptied = ({ as, users }: World) =>
  as('administrator').subscriptions.remove({
    subscriptions: [CHANNELS.shared],
    principals: [users.hamlet, users.moderator],
  });

const ROLE_NOBODY = 1;

export const addSubscriptionsCases = cases('subscriptions.add', [
  {
    name: 'a member subscribes themselves, and the response lists new subscriptions by user ID',
    as: 'cordelia',
    call: joining('quiet', 'public'),
    returns: ({ users }) => ({
      subscribed: { [users.cordelia]: ['Norway'] },
      already_subscribed: { [users.cordelia]: ['Denmark'] },
      unauthorized: ABSENT,
    }),
    events: ({ users, channels }) => ({
      cordelia: [
        {
          type: 'subscription',
          op: 'add',
          subscriptions: [{ stream_id: channels.quiet, subscribers: [users.cordelia] }],
        },
      ],
      hamlet: [{ type: 'subscription', op: 'peer_add', stream_ids: [channels.quiet], user_ids: [users.cordelia] }],
      guest: [],
    }),
  },
  {
    name: 'subscribing again changes nothing and sends no event',
    as: 'cordelia',
    call: joining('public'),
    returns: ({ users }) => ({ subscribed: {}, already_subscribed: { [users.cordelia]: ['Denmark'] } }),
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a member subscribes others, and the notification bot sends them a direct message',
    as: 'hamlet',
    call: adding(['cordelia', 'newcomer'], ['quiet']),
    returns: ({ users }) => ({
      subscribed: { [users.cordelia]: ['Norway'], [users.newcomer]: ['Norway'] },
      new_subscription_messages_sent: true,
    }),
    events: ({ users }) => ({
      cordelia: [
        { type: 'subscription', op: 'add' },
        {
          type: 'message',
          message: {
            type: 'private',
            sender_full_name: 'Notification Bot',
            content: (text: string) => text.includes(`|${users.hamlet}**`),
          },
        },
      ],
      hamlet: [{ type: 'subscription', op: 'peer_add', user_ids: [users.cordelia, users.newcomer] }],
    }),
  },
  {
    name: 'send_new_subscription_messages false sends no direct messages',
    as: 'hamlet',
    call: adding(['cordelia'], ['quiet'], { send_new_subscription_messages: false }),
    returns: { new_subscription_messages_sent: false },
    events: () => ({ cordelia: [{ type: 'subscription', op: 'add' }] }),
  },
  {
    name: 'a bot is subscribed without a direct message',
    as: 'hamlet',
    call: adding(['bot'], ['quiet']),
    events: () => ({ bot: [{ type: 'subscription', op: 'add' }] }),
  },
  {
    name: 'principals can be addresses',
    as: 'hamlet',
    call: ['subscriptions.add', { subscriptions: named('quiet'), principals: ['cordelia@example.com'] }],
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Norway'] } }),
  },
  {
    name: 'a guest who is added sees the channel appear first',
    as: 'hamlet',
    call: adding(['guest'], ['public'], { send_new_subscription_messages: false }),
    events: ({ channels }) => ({
      guest: [
        { type: 'stream', op: 'create', streams: [{ stream_id: channels.public }] },
        { type: 'subscription', op: 'add', subscriptions: [{ stream_id: channels.public }] },
      ],
      cordelia: [{ type: 'subscription', op: 'peer_add' }],
    }),
  },
  {
    name: 'a restricted guest sees a new subscriber of their channel before the subscription event',
    as: 'owner',
    given: ({ settings }) => settings({ can_access_all_users_group: 6 }),
    call: adding(['moderator', 'bot'], ['webPublic']),
    events: ({ users, emails }) => ({
      guest: [
        {
          type: 'realm_user',
          op: 'add',
          person: { user_id: users.moderator, full_name: 'Mona Moderator', delivery_email: emails.moderator },
        },
        { type: 'subscription', op: 'peer_add', user_ids: [users.moderator, users.bot] },
      ],
    }),
  },
  {
    name: 'a user added to a private channel sees it appear first; others get no event',
    as: 'hamlet',
    call: adding(['cordelia'], ['shared'], { send_new_subscription_messages: false }),
    events: ({ channels }) => ({
      cordelia: [
        { type: 'stream', op: 'create', streams: [{ stream_id: channels.shared }] },
        { type: 'subscription', op: 'add' },
      ],
      moderator: [{ type: 'subscription', op: 'peer_add' }],
      owner: [{ type: 'subscription', op: 'peer_add' }],
      newcomer: [],
    }),
  },
  {
    name: 'an administrator added to a private channel gets no event of its creation',
    as: 'hamlet',
    call: adding(['administrator'], ['shared'], { send_new_subscription_messages: false }),
    events: () => ({ administrator: [{ type: 'subscription', op: 'add' }] }),
  },
  {
    name: 'channels that do not exist are created, with the settings given',
    as: 'hamlet',
    call: [
      'subscriptions.add',
      { subscriptions: [{ name: 'Wittenberg', description: 'For study', color: '#ABCDEF' }], invite_only: true },
    ],
    returns: ({ users }) => ({ subscribed: { [users.hamlet]: ['Wittenberg'] } }),
    state: async (world) => {
      const { subscriptions } = await world.as('hamlet').subscriptions.list();
      const found = subscriptions.find((one) => one.name === 'Wittenberg');
      assert.equal(found?.description, 'For study');
      assert.equal(found?.color, '#abcdef');
      assert.equal(found?.invite_only, true);
    },
  },
  {
    name: 'creating a channel needs the permission to create channels',
    as: 'hamlet',
    given: (world) => world.settings({ can_create_public_channel_group: ROLE_NOBODY }),
    call: ['subscriptions.add', { subscriptions: [{ name: 'Wittenberg' }] }],
    refuses: { code: 'BAD_REQUEST', says: /create/ },
  },
  refused(
    'a color other than #rrggbb is refused',
    'hamlet',
    ['subscriptions.add', { subscriptions: [{ name: 'Norway', color: 'red' }] }],
    /color/,
  ),
  refused('a private channel the caller cannot read is refused', 'cordelia', joining('quiet', 'shared'), /"Council"/),
  {
    name: 'the refusal does not reveal how the name of a private channel is spelled',
    as: 'cordelia',
    call: ['subscriptions.add', { subscriptions: [{ name: 'cOUNCIL' }], authorization_errors_fatal: false }],
    returns: { unauthorized: ['cOUNCIL'] },
  },
  {
    name: 'authorization_errors_fatal false lists unreadable channels in unauthorized and joins the others',
    as: 'cordelia',
    call: ['subscriptions.add', { subscriptions: named('quiet', 'shared'), authorization_errors_fatal: false }],
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Norway'] }, unauthorized: ['Council'] }),
  },
  refused('an administrator does not join a private channel they cannot read', 'owner', joining('shared')),
  refused('an archived channel is not joined', 'cordelia', joining('archived')),
  {
    name: 'E1: the creator of a private channel subscribes others without being a subscriber',
    as: 'owner',
    call: adding(['cordelia'], ['shared'], { send_new_subscription_messages: false }),
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Council'] } }),
    events: ({ channels }) => ({
      cordelia: [
        { type: 'stream', op: 'create', streams: [{ stream_id: channels.shared }] },
        { type: 'subscription', op: 'add' },
      ],
      hamlet: [{ type: 'subscription', op: 'peer_add' }],
    }),
  },
  refused('E1: the creator does not add themselves with others', 'owner', adding(['owner', 'cordelia'], ['shared'])),
  refused(
    'E1: the creator does not add their bot',
    'owner',
    ['subscriptions.add', { subscriptions: named('shared'), principals: ['own-bot@chat.example.com'] }],
    undefined,
    ({ as }) => as('owner').bots.create({ full_name: 'Own', short_name: 'own' }),
  ),
  refused(
    'E1: a bot that created the channel does not add its owner',
    'bot',
    ['subscriptions.add', ({ users }) => ({ subscriptions: [{ name: 'Bunker' }], principals: [users.hamlet] })],
    undefined,
    ({ as, users }) => as('bot').channels.create({ name: 'Bunker', invite_only: true, subscribers: [users.cordelia] }),
  ),
  refused(
    'E1: a creator who no longer administers the channel adds no users',
    'owner',
    adding(['cordelia'], ['shared']),
    undefined,
    grants('shared', 'can_administer_channel_group', ({ users }) => ({
      direct_members: [users.hamlet],
      direct_subgroups: [],
    })),
  ),
  refused(
    'E1: a creator who has left adds no users',
    'owner',
    adding(['cordelia'], ['shared']),
    undefined,
    async ({ as, users }) => {
      await as('hamlet').subscriptions.add({ subscriptions: named('shared'), principals: [users.owner] });
      await as('owner').subscriptions.remove({ subscriptions: [CHANNELS.shared] });
    },
  ),
  refused(
    'E1: an administrator who is not subscribed cannot add users to a private channel',
    'administrator',
    adding(['cordelia'], ['shared']),
  ),
  {
    name: 'E1: an administrator returns a former subscriber to an emptied private channel',
    as: 'administrator',
    given: emptied,
    call: adding(['hamlet'], ['shared'], { send_new_subscription_messages: false }),
    returns: ({ users }) => ({ subscribed: { [users.hamlet]: ['Council'] } }),
    events: () => ({
      hamlet: [
        { type: 'stream', op: 'create' },
        { type: 'muted_topics' },
        { type: 'user_topic' },
        { type: 'subscription', op: 'add' },
      ],
    }),
  },
  refused(
    'E1: an administrator who emptied a channel does not join it',
    'administrator',
    joining('shared'),
    undefined,
    emptied,
  ),
  refused(
    'E1: an administrator adds no other user together with former subscribers',
    'administrator',
    adding(['hamlet', 'cordelia'], ['shared']),
    undefined,
    emptied,
  ),
  refused(
    'E1: a moderator does not repair an emptied channel',
    'moderator',
    adding(['hamlet'], ['shared']),
    undefined,
    emptied,
  ),
  {
    name: 'E1: an administrator adds anyone if no former subscriber is active',
    as: 'administrator',
    given: async (world) => {
      await emptied(world);
      for (const name of ['hamlet', 'moderator'] as const)
        await world.as('owner').users.deactivate({ user_id: world.users[name] });
    },
    call: adding(['administrator', 'cordelia'], ['shared']),
    returns: ({ users }) => ({ subscribed: { [users.administrator]: ['Council'], [users.cordelia]: ['Council'] } }),
  },
  {
    name: 'members of can_subscribe_group join a private channel',
    as: 'cordelia',
    given: grants('shared', 'can_subscribe_group', ({ groups }) => groups.cooks),
    call: joining('shared'),
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Council'] } }),
  },
  refused(
    'adding others is refused outside can_add_subscribers_group of the organization',
    'hamlet',
    adding(['cordelia'], ['quiet']),
    undefined,
    (world) => world.settings({ can_add_subscribers_group: ROLE_NOBODY }),
  ),
  refused(
    'adding others and oneself is refused outside can_add_subscribers_group',
    'hamlet',
    adding(['hamlet', 'cordelia'], ['quiet']),
    undefined,
    (world) => world.settings({ can_add_subscribers_group: ROLE_NOBODY }),
  ),
  {
    name: 'adding others is allowed by can_add_subscribers_group of the channel',
    as: 'hamlet',
    given: async (world) => {
      await world.settings({ can_add_subscribers_group: ROLE_NOBODY });
      await grants('quiet', 'can_add_subscribers_group', ({ groups }) => groups.kitchen)(world);
    },
    call: adding(['cordelia'], ['quiet']),
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Norway'] } }),
  },
  {
    name: 'adding others is allowed by can_administer_channel_group of the channel',
    as: 'hamlet',
    given: async (world) => {
      await world.settings({ can_add_subscribers_group: ROLE_NOBODY });
      await grants('quiet', 'can_administer_channel_group', ({ groups }) => groups.kitchen)(world);
    },
    call: adding(['cordelia'], ['quiet']),
    returns: ({ users }) => ({ subscribed: { [users.cordelia]: ['Norway'] } }),
  },
  refused('a deactivated user is refused', 'hamlet', adding(['deactivated'], ['quiet']), /deactivated/),
  refused(
    'an unknown user is refused',
    'hamlet',
    ['subscriptions.add', { subscriptions: named('quiet'), principals: [9999] }],
    /9999/,
  ),
  refused('a guest is refused', 'guest', joining('webPublic'), /Guests/),
  {
    name: 'too many channel-user pairs are refused before users are looked up',
    as: 'hamlet',
    call: [
      'subscriptions.add',
      ({ users }) => ({
        subscriptions: Array.from({ length: 101 }, (_, n) => ({ name: `room ${n}` })),
        principals: Array<number>(100).fill(users.cordelia),
      }),
    ],
    refuses: { code: 'BAD_REQUEST', says: /10100 .* 10000/ },
  },
  {
    name: 'subscriptions is required',
    as: 'hamlet',
    call: ['subscriptions.add', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'subscriptions' } },
  },
]);

import { type Case, cases } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';
import { ABSENT, assertMatches } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const editing = (channel: ChannelName, change: object | ((world: World) => object)) =>
  [
    'channels.edit',
    (world: World) => ({
      stream_id: world.channels[channel],
      ...(typeof change === 'function' ? change(world) : change),
    }),
  ] as const;

const edits = (
  name: string,
  as: UserName,
  channel: ChannelName,
  change: object | ((world: World) => object),
  result: object,
  given?: Case['given'],
): Case => ({
  name,
  as,
  call: editing(channel, change),
  ...(given ? { given } : {}),
  state: async (world) =>
    assertMatches((await world.as('owner').channels.get({ stream_id: world.channels[channel] })).stream, result),
});

const refused = (
  name: string,
  as: UserName,
  channel: ChannelName,
  change: object | ((world: World) => object),
  says: RegExp,
  given?: Case['given'],
): Case => ({
  name,
  as,
  call: editing(channel, change),
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', says },
});

const administeredBy = (channel: ChannelName, user: UserName) => (world: World) =>
  world.storage.write((tx) =>
    tx.channels.update(world.channels[channel], {
      settings: { can_administer_channel_group: { direct_members: [world.users[user]], direct_subgroups: [] } },
    }),
  );

const update = (world: World, channel: ChannelName, property: string, value: unknown, more: object = {}) => ({
  type: 'stream',
  op: 'update',
  stream_id: world.channels[channel],
  property,
  value,
  ...more,
});

const newestIn = async (world: World, channel: ChannelName) => {
  const narrow = [['channel', world.channels[channel]]] as [string, number][];
  const anchor = { anchor: 'newest', num_before: 1, apply_markdown: false } as const;
  return (await world.as('cordelia').messages.list({ ...anchor, narrow })).messages;
};

const OWNERS = 2;
const MODERATORS = 4;
const EVERYONE = 7;

export const editChannelCases = cases('channels.edit', [
  edits(
    'an administrator renames a channel, and the name is trimmed',
    'administrator',
    'public',
    { new_name: ' Dania ' },
    { name: 'Dania' },
  ),
  {
    name: 'all members get the event of a rename, and the notification bot posts a message about it',
    as: 'administrator',
    call: editing('public', { new_name: 'Dania' }),
    events: (world) => ({
      newcomer: [update(world, 'public', 'name', 'Dania', { name: 'Denmark' })],
      cordelia: [
        update(world, 'public', 'name', 'Dania'),
        { type: 'message', message: { content: /Denmark.*Dania/s } },
      ],
      guest: [],
    }),
  },
  {
    name: 'the message about a rename of an empty_topic_only channel goes to the empty topic',
    as: 'administrator',
    given: ({ storage, channels }) =>
      storage.write((tx) => tx.channels.update(channels.public, { topics_policy: 'empty_topic_only' })),
    call: editing('public', { new_name: 'Dania' }),
    events: (world) => ({
      cordelia: [
        update(world, 'public', 'name', 'Dania'),
        { type: 'message', message: { subject: 'general chat', content: /Denmark.*Dania/s } },
      ],
    }),
  },
  ...(
    [
      ['a description', { description: 'Hamlet, Prince' }, /changed the description.*```quote\nHamlet, Prince\n```/s],
      ['the privacy', { is_private: true }, /from \*\*public\*\* to \*\*private with (shared|protected) history/],
      [
        'the retention',
        { message_retention_days: 30 },
        /from \*\*the default of the organization\*\* to \*\*30 days\*\*/,
      ],
      [
        'who can post',
        { can_send_message_group: { new: { direct_members: [8], direct_subgroups: [3] } } },
        /from \*\*Everyone\*\* to \*\*Administrators, 1 user\*\*/,
      ],
      ['the retention to unlimited', { message_retention_days: 'unlimited' }, /to \*\*forever\*\*/],
    ] as const
  ).map(
    ([what, change, says]): Case => ({
      name: `H4: the notification bot posts a message about a change of ${what}`,
      as: 'owner',
      call: editing('public', change),
      state: async (world) =>
        assertMatches(await newestIn(world, 'public'), [{ subject: 'channel events', content: says }]),
    }),
  ),
  ...[{ description: 'Hamlet, Prince' }, { new_name: 'Dania' }].map(
    (change): Case => ({
      name: `H4: no message about a change of ${Object.keys(change)[0]} if send_channel_events_messages is false`,
      as: 'owner',
      given: (world) => world.settings({ send_channel_events_messages: false }),
      call: editing('public', change),
      state: async (world) => assertMatches(await newestIn(world, 'public'), [{ subject: 'ghosts' }]),
    }),
  ),
  edits('a new name may differ in case alone', 'administrator', 'public', { new_name: 'DENMARK' }, { name: 'DENMARK' }),
  {
    name: 'a name in use is refused',
    as: 'administrator',
    call: editing('public', { new_name: 'norway' }),
    refuses: { code: 'CHANNEL_ALREADY_EXISTS', data: { channel_name: 'norway' } },
  },
  refused('a name that is too long is refused', 'administrator', 'public', { new_name: 'x'.repeat(61) }, /limit: 60/),
  refused('an empty name is refused', 'administrator', 'public', { new_name: ' ' }, /empty/),
  edits(
    'an administrator changes the description of a channel',
    'administrator',
    'public',
    { description: 'a *b*\nc' },
    {
      description: 'a *b* c',
      rendered_description: '<p>a <em>b</em> c</p>',
    },
  ),
  {
    name: 'a new description comes with its HTML',
    as: 'administrator',
    call: editing('public', { description: 'a *b*' }),
    events: (world) => ({
      cordelia: [
        update(world, 'public', 'description', 'a *b*', { rendered_description: '<p>a <em>b</em></p>' }),
        { type: 'message', message: { content: /changed the description/ } },
      ],
    }),
  },
  refused(
    'a description that is too long is refused',
    'administrator',
    'public',
    { description: 'x'.repeat(1025) },
    /limit: 1024/,
  ),
  {
    name: 'values equal to the present ones send no event',
    as: 'administrator',
    call: editing('public', { new_name: 'Denmark', is_private: false, can_send_message_group: { new: EVERYONE } }),
    events: () => ({ cordelia: [] }),
  },
  edits(
    'the creator of a channel edits it',
    'hamlet',
    'public',
    { description: 'mine' },
    { description: 'mine' },
    administeredBy('public', 'hamlet'),
  ),
  refused(
    'members who do not administer the channel cannot edit it',
    'hamlet',
    'public',
    { description: 'mine' },
    /not allowed/,
  ),
  refused(
    'a channel the caller cannot see is refused like a missing one',
    'cordelia',
    'shared',
    { description: 'x' },
    /that you can access/,
  ),
  {
    name: 'a channel that does not exist is refused',
    as: 'owner',
    call: ['channels.edit', { stream_id: 9999, description: 'x' }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  edits(
    'an administrator edits the name of a private channel without being in it',
    'administrator',
    'shared',
    { new_name: 'Cabinet' },
    { name: 'Cabinet' },
  ),
  edits(
    'a channel made private gets protected history by default',
    'administrator',
    'public',
    { is_private: true },
    {
      invite_only: true,
      history_public_to_subscribers: false,
    },
  ),
  {
    name: 'a guest named in a permission of a private channel gets no event of it, but a member does',
    as: 'administrator',
    given: ({ storage, channels, users }) =>
      storage.write((tx) =>
        tx.channels.update(channels.shared, {
          settings: {
            can_administer_channel_group: { direct_members: [users.guest, users.cordelia], direct_subgroups: [] },
          },
        }),
      ),
    call: editing('shared', { description: 'secret' }),
    events: (world) => ({ cordelia: [update(world, 'shared', 'description', 'secret')], guest: [] }),
  },
  {
    name: 'a channel made private disappears for members who are not subscribed',
    as: 'administrator',
    call: editing('public', { is_private: true }),
    events: (world) => ({
      newcomer: [
        update(world, 'public', 'invite_only', true),
        { type: 'stream', op: 'delete', stream_ids: [world.channels.public] },
      ],
      cordelia: [
        update(world, 'public', 'invite_only', true, { history_public_to_subscribers: false, is_web_public: false }),
        { type: 'message', message: { content: /private/ } },
      ],
      owner: [update(world, 'public', 'invite_only', true)],
      guest: [],
    }),
  },
  edits(
    'a moderator makes a private channel public',
    'moderator',
    'shared',
    { is_private: false },
    { invite_only: false, history_public_to_subscribers: true },
    administeredBy('shared', 'moderator'),
  ),
  {
    name: 'a channel made public appears to all members, with its subscribers',
    as: 'moderator',
    given: administeredBy('shared', 'moderator'),
    call: editing('shared', { is_private: false }),
    events: (world) => ({
      newcomer: [
        { type: 'stream', op: 'create', streams: [{ stream_id: world.channels.shared, invite_only: false }] },
        { type: 'subscription', op: 'peer_add', user_ids: [world.users.moderator, world.users.hamlet] },
      ],
      hamlet: [update(world, 'shared', 'invite_only', false), { type: 'message', message: { content: /public/ } }],
      guest: [],
    }),
  },
  refused(
    'an administrator who cannot read a private channel cannot make it public',
    'administrator',
    'shared',
    { is_private: false },
    /read/,
  ),
  edits(
    'a private channel gets shared history',
    'cordelia',
    'protected',
    { history_public_to_subscribers: true },
    {
      invite_only: true,
      history_public_to_subscribers: true,
    },
    administeredBy('protected', 'cordelia'),
  ),
  refused(
    'a public channel cannot have protected history',
    'administrator',
    'public',
    { history_public_to_subscribers: false },
    /settings conflict/,
  ),
  refused(
    'is_web_public needs enable_spectator_access',
    'owner',
    'public',
    { is_web_public: true },
    /Web-public channels are off/,
  ),
  edits(
    'an owner makes a channel web-public',
    'owner',
    'public',
    { is_web_public: true },
    { is_web_public: true },
    (world) => world.settings({ enable_spectator_access: true }),
  ),
  refused(
    'a channel cannot be private and web-public at once',
    'owner',
    'public',
    { is_web_public: true, is_private: true },
    /settings conflict/,
    (world) => world.settings({ enable_spectator_access: true }),
  ),
  {
    name: 'is_default_stream changes the default channels',
    as: 'administrator',
    call: editing('public', { is_default_stream: true }),
    events: ({ channels }) => ({
      newcomer: [{ type: 'default_streams', default_streams: [channels.public, channels.default] }],
      guest: [],
    }),
  },
  refused(
    'only administrators change default channels',
    'hamlet',
    'public',
    { is_default_stream: true },
    /administrators/,
    administeredBy('public', 'hamlet'),
  ),
  refused(
    'a private channel cannot become a default channel',
    'owner',
    'shared',
    { is_default_stream: true },
    /private/,
  ),
  refused(
    'B11: the channel for reports cannot become public',
    'hamlet',
    'shared',
    { is_private: false },
    /reported messages must be private/,
    async (world) => {
      await administeredBy('shared', 'hamlet')(world);
      await world.settings({ moderation_request_channel_id: world.channels.shared });
    },
  ),
  refused('a default channel cannot become private', 'owner', 'default', { is_private: true }, /private/),
  edits(
    'is_archived false brings an archived channel back',
    'administrator',
    'archived',
    { is_archived: false },
    { is_archived: false },
  ),
  ...['allow_empty_topic', 'disable_empty_topic'].map((topics_policy) =>
    edits(`topics_policy can become ${topics_policy}`, 'administrator', 'public', { topics_policy }, { topics_policy }),
  ),
  refused(
    'empty_topic_only can only be set if all existing messages are in the empty topic',
    'administrator',
    'public',
    { topics_policy: 'empty_topic_only' },
    /other topics/,
  ),
  refused(
    'empty_topic_only cannot be set if only the newest messages are in the empty topic',
    'administrator',
    'public',
    { topics_policy: 'empty_topic_only' },
    /other topics/,
    ({ as, channels }) =>
      as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: '', content: 'Hello' }),
  ),
  edits(
    'empty_topic_only is set where all messages are in the empty topic',
    'owner',
    'quiet',
    { topics_policy: 'empty_topic_only' },
    { topics_policy: 'empty_topic_only' },
    (world) =>
      world.settings({ send_channel_events_messages: false }).then(async () => {
        const { id } = await world.as('owner').channels.create({ name: 'Empty', subscribers: [] });
        world.channels = { ...world.channels, quiet: id };
      }),
  ),
  edits(
    'an administrator moves a channel into a folder',
    'administrator',
    'public',
    ({ folders }) => ({ folder_id: folders.plays }),
    {
      folder_id: (id: unknown) => id !== null,
    },
  ),
  refused('an unknown folder is refused', 'administrator', 'public', { folder_id: 9999 }, /folder/),
  edits(
    'an owner sets message_retention_days',
    'owner',
    'public',
    { message_retention_days: 7 },
    { message_retention_days: 7 },
  ),
  {
    name: 'only an organization owner sets message_retention_days',
    as: 'administrator',
    call: editing('public', { message_retention_days: 7 }),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  edits(
    'an administrator changes a permission of a channel',
    'administrator',
    'public',
    { can_send_message_group: { new: MODERATORS } },
    { can_send_message_group: MODERATORS, stream_post_policy: 4 },
  ),
  {
    name: 'the event of a permission has its new value and the derived value for old clients',
    as: 'administrator',
    call: editing('public', { can_send_message_group: { new: 3 } }),
    events: (world) => ({
      cordelia: [
        update(world, 'public', 'can_send_message_group', 3, { rendered_description: ABSENT }),
        update(world, 'public', 'stream_post_policy', 2),
        update(world, 'public', 'is_announcement_only', true),
        { type: 'message', message: { subject: 'channel events' } },
      ],
    }),
  },
  {
    name: 'a new permission makes a private channel visible to its users',
    as: 'owner',
    call: editing('shared', ({ groups }) => ({ can_administer_channel_group: { new: groups.cooks } })),
    events: (world) => ({
      cordelia: [
        { type: 'stream', op: 'create' },
        { type: 'subscription', op: 'peer_add' },
      ],
      hamlet: [update(world, 'shared', 'can_administer_channel_group', world.groups.cooks)],
      newcomer: [],
    }),
  },
  edits(
    'a permission changes when old is the current value',
    'administrator',
    'public',
    { can_send_message_group: { new: MODERATORS, old: EVERYONE } },
    { can_send_message_group: MODERATORS },
  ),
  {
    name: 'an old value that is not the current one is EXPECTATION_MISMATCH',
    as: 'administrator',
    call: editing('public', { can_send_message_group: { new: MODERATORS, old: OWNERS } }),
    refuses: { code: 'EXPECTATION_MISMATCH' },
  },
  refused(
    'a permission update without new is refused',
    'administrator',
    'public',
    { can_send_message_group: { old: OWNERS } },
    /can_send_message_group/,
  ),
  refused(
    'a permission update with an unknown key is refused',
    'administrator',
    'public',
    { can_send_message_group: { new: OWNERS, why: 1 } },
    /can_send_message_group/,
  ),
  refused(
    'a permission with a deactivated group is refused',
    'administrator',
    'public',
    ({ groups }) => ({ can_send_message_group: { new: groups.disbanded } }),
    /deactivated/,
  ),
  refused(
    'an administrator who cannot read a private channel cannot change who may subscribe to it',
    'administrator',
    'shared',
    { can_subscribe_group: { new: MODERATORS } },
    /read/,
  ),
  {
    name: 'of several changes, one invalid change undoes the others',
    as: 'administrator',
    call: editing('public', { new_name: 'Dania', can_send_message_group: { new: 9999 } }),
    refuses: { code: 'BAD_REQUEST' },
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a guest is refused',
    as: 'guest',
    call: editing('default', {}),
    refuses: { code: 'BAD_REQUEST', says: /Guests/ },
  },
]);

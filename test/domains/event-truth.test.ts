import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Session } from '../../lib/index.ts';
import { catalogue } from '../../lib/internal.ts';
import { sqliteEngine } from '../world/copies.ts';
import { assertEventKeys } from '../world/event-keys.ts';
import { CHANNELS, type ChannelName, type UserName } from '../world/fixture.ts';
import { animatedGif, png } from '../world/pictures.ts';
import { applyEvent, comparable, type State } from '../world/reference-client.ts';
import type { World } from '../world/world.ts';

type Change = [sentence: string, change: (world: World) => Promise<unknown>];

const edit =
  (channel: ChannelName, change: object, as: UserName = 'owner') =>
  (world: World) =>
    world.as(as).channels.edit({ stream_id: world.channels[channel], ...change });

const said = async ({ as, channels }: World, user: UserName, content = 'y') =>
  (await as(user).messages.send({ type: 'channel', to: channels.public, topic: 'x', content })).id;

type Move = Omit<Parameters<Session['messages']['edit']>[0], 'message_id'>;

/** Whatever the age of the message: a moderator may, or somebody for whom there is no limit. */
const move =
  (message: keyof World['messages'], to: (world: World) => Move, as: UserName = 'administrator') =>
  async (world: World) => {
    await world.as('owner').organization.edit({ move_messages_between_streams_limit_seconds: 'unlimited' });
    await world.as(as).messages.edit({ message_id: world.messages[message], ...to(world) });
  };

const linkifiers = async ({ as }: World, ...patterns: string[]) => {
  const ids = [];
  for (const pattern of patterns)
    ids.push((await as('owner').linkifiers.create({ pattern, url_template: `https://${pattern}` })).id);
  return ids;
};

const playground = ({ as }: World, pygments_language: string) =>
  as('owner').playgrounds.create({ name: 'Site', pygments_language, url_template: 'https://a.example/{code}' });

/** Changes by operation; together they are all operations that change the state clients start from. */
const CHANGES: Record<string, readonly Change[]> = {
  'messages.send': [
    [
      'a message in a public channel',
      ({ as }) => as('hamlet').messages.send({ type: 'channel', to: 'Denmark', topic: 'x', content: 'y' }),
    ],
    [
      'a message in a new topic of a private channel',
      ({ as }) => as('cordelia').messages.send({ type: 'channel', to: 'Vault', topic: 'x', content: 'y' }),
    ],
    [
      'a message without a topic',
      ({ as }) => as('guest').messages.send({ type: 'channel', to: 'Square', topic: '', content: 'y' }),
    ],
    ['a mention of one', (world) => said(world, 'hamlet', 'Where is @**Cordelia**?')],
    ['a mention of a group, the sender in it', (world) => said(world, 'hamlet', '@*kitchen*')],
    ['a mention of everybody in a channel', (world) => said(world, 'hamlet', '@**all** @**Cordelia**')],
    ['a mention of everybody in a topic', (world) => said(world, 'hamlet', '@**topic**')],
    [
      'a mention of everybody in a direct message',
      ({ as, users }) => as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: '@**all**' }),
    ],
    [
      'a direct message',
      ({ as, users }) => as('administrator').messages.send({ type: 'direct', to: [users.cordelia], content: 'y' }),
    ],
    [
      'a group message',
      ({ as, users }) =>
        as('hamlet').messages.send({ type: 'direct', to: [users.cordelia, users.moderator], content: 'y' }),
    ],
    [
      'a message to oneself',
      ({ as, users }) => as('hamlet').messages.send({ type: 'direct', to: [users.hamlet], content: 'y' }),
    ],
  ],
  'messages.updateFlags': [
    [
      'reading a mention and unreading it',
      async (world) => {
        const id = await said(world, 'hamlet', '@**Cordelia**');
        await world.as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
        await world.as('cordelia').messages.updateFlags({ messages: [id], op: 'remove', flag: 'read' });
      },
    ],
    [
      'reading',
      ({ as, messages }) =>
        as('cordelia').messages.updateFlags({ messages: [messages.ghost, messages.direct], op: 'add', flag: 'read' }),
    ],
    [
      'reading and unreading',
      async ({ as, messages }) => {
        const those = [messages.ghost, messages.direct, messages.group];
        await as('cordelia').messages.updateFlags({ messages: those, op: 'add', flag: 'read' });
        await as('cordelia').messages.updateFlags({ messages: those.slice(1), op: 'remove', flag: 'read' });
      },
    ],
    [
      'starring',
      ({ as, messages }) =>
        as('cordelia').messages.updateFlags({
          messages: [messages.ghostReply, messages.ghost],
          op: 'add',
          flag: 'starred',
        }),
    ],
    [
      'unstarring',
      async ({ as, messages }) => {
        await as('guest').messages.updateFlags({ messages: [messages.harbour], op: 'add', flag: 'starred' });
        await as('guest').messages.updateFlags({ messages: [messages.harbour], op: 'remove', flag: 'starred' });
      },
    ],
  ],
  'messages.updateFlagsNarrow': [
    [
      'reading a channel',
      ({ as }) =>
        as('cordelia').messages.updateFlagsNarrow({
          ...{ anchor: 'oldest', num_before: 0, num_after: 50, op: 'add', flag: 'read' },
          narrow: [{ operator: 'channel', operand: CHANNELS.public }],
        }),
    ],
  ],
  'messages.markAllRead': [['everything', ({ as }) => as('cordelia').messages.markAllRead()]],
  'messages.markChannelRead': [
    ['a channel', ({ as, channels }) => as('cordelia').messages.markChannelRead({ stream_id: channels.public })],
  ],
  'messages.markTopicRead': [
    [
      'a topic',
      ({ as, channels }) => as('cordelia').messages.markTopicRead({ stream_id: channels.public, topic_name: 'ghosts' }),
    ],
  ],
  'messages.edit': [
    [
      'other content',
      (world) => said(world, 'hamlet').then((id) => world.as('hamlet').messages.edit({ message_id: id, content: 'z' })),
    ],
    [
      'a mention more and a mention less',
      async (world) => {
        const id = await said(world, 'hamlet', '@**Cordelia**');
        await world.as('hamlet').messages.edit({ message_id: id, content: '@**Adam Administrator**' });
      },
    ],
    [
      'a mention that moves',
      async (world) => {
        const id = await said(world, 'hamlet', '@**Cordelia**');
        await world.as('hamlet').messages.edit({ message_id: id, content: '@**all**', topic: 'z' });
      },
    ],
    ['another topic for one message', move('ghost', () => ({ topic: 'spirits' }))],
    ['another topic for all', move('ghost', () => ({ topic: '', propagate_mode: 'change_all' }))],
    ['a resolved topic', move('ghostReply', () => ({ topic: '✔ ghosts', propagate_mode: 'change_all' }))],
    ['another public channel', move('ghost', ({ channels }) => ({ stream_id: channels.default }))],
    ['a channel that hides it from some', move('ghost', ({ channels }) => ({ stream_id: channels.shared }), 'hamlet')],
  ],
  'messages.delete': [
    [
      'an unread and starred message',
      async ({ as, messages }) => {
        await as('cordelia').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'starred' });
        await as('administrator').messages.delete({ message_id: messages.ghost });
      },
    ],
  ],
  'channels.create': [
    [
      'a public channel',
      ({ as, users }) => as('hamlet').channels.create({ name: 'New', subscribers: [users.hamlet, users.guest] }),
    ],
    [
      'a private channel',
      ({ as, users }) =>
        as('hamlet').channels.create({ name: 'New', invite_only: true, subscribers: [users.cordelia, users.guest] }),
    ],
    [
      'a private channel with an administrator in it',
      ({ as, users }) =>
        as('hamlet').channels.create({ name: 'New', invite_only: true, subscribers: [users.administrator] }),
    ],
    [
      'a default channel',
      ({ as }) => as('owner').channels.create({ name: 'New', subscribers: [], is_default_stream: true }),
    ],
    [
      'a web-public channel',
      async ({ as, users }) => {
        await as('owner').organization.edit({ enable_spectator_access: true });
        await as('owner').channels.create({ name: 'New', subscribers: [users.guest], is_web_public: true });
      },
    ],
  ],
  'channels.edit': [
    ['a new name', edit('public', { new_name: 'Dania' })],
    ['a new description', edit('webPublic', { description: 'a *b*' })],
    [
      'a private channel opened',
      async (world) => {
        const { as, users } = world;
        await as('hamlet').subscriptions.add({
          subscriptions: [{ name: CHANNELS.shared }],
          principals: [users.administrator],
        });
        await edit('shared', { is_private: false }, 'administrator')(world);
      },
    ],
    [
      'a private channel opened to the web',
      async (world) => {
        const { as, users } = world;
        await world.as('owner').organization.edit({ enable_spectator_access: true });
        await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.shared }], principals: [users.owner] });
        await edit('shared', { is_web_public: true }, 'owner')(world);
      },
    ],
    [
      'a public channel opened to the web',
      async (world) => {
        await world.as('owner').organization.edit({ enable_spectator_access: true });
        await edit('public', { is_web_public: true }, 'owner')(world);
      },
    ],
    [
      'a permission that lets somebody know of a private channel',
      edit('shared', { can_administer_channel_group: { new: 6 } }),
    ],
    [
      'a permission taken that let somebody know of a private channel',
      async (world) => {
        await edit('shared', { can_administer_channel_group: { new: 6 } })(world);
        await edit('shared', { can_administer_channel_group: { new: 1 } })(world);
      },
    ],
    ['a public channel closed', edit('public', { is_private: true }, 'administrator')],
    ['a web-public channel made public', edit('webPublic', { is_web_public: false })],
    ['a default channel more', edit('public', { is_default_stream: true })],
    ['another topics policy', edit('public', { topics_policy: 'disable_empty_topic' })],
    ['another retention', edit('public', { message_retention_days: 7 })],
    ['a folder', (world) => edit('public', { folder_id: world.folders.plays })(world)],
    ['another permission to post', edit('public', { can_send_message_group: { new: 3 } })],
    ['several permissions', edit('public', { can_subscribe_group: { new: 6 }, can_resolve_topics_group: { new: 7 } })],
    ['an archived channel brought back', edit('archived', { is_archived: false })],
    ['a channel archived by an edit', edit('public', { is_archived: true, new_name: 'Dania' })],
    [
      'a channel opened and archived at once',
      async (world) => {
        const { as, users } = world;
        await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.shared }], principals: [users.owner] });
        await edit('shared', { is_private: false, is_archived: true })(world);
      },
    ],
    ['a default channel archived by an edit', edit('default', { is_archived: true })],
    ['an archived channel edited', edit('archived', { new_name: 'Attic', can_subscribe_group: { new: 6 } })],
    [
      'an archived channel brought back under another name',
      edit('archived', { is_archived: false, new_name: 'Attic' }),
    ],
    [
      'an archived channel closed and opened',
      async (world) => {
        await world.as('owner').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
        await world.as('owner').channels.archive({ stream_id: world.channels.public });
        await edit('public', { is_private: true })(world);
        await edit('public', { is_private: false })(world);
      },
    ],
    [
      'an archived channel closed and then brought back',
      async (world) => {
        const { as, users } = world;
        await as('hamlet').subscriptions.updateProperties({
          subscription_data: [{ stream_id: world.channels.archived, property: 'color', value: '#123456' }],
        });
        await edit('archived', { is_private: true })(world);
        await as('owner').subscriptions.remove({
          subscriptions: [CHANNELS.archived],
          principals: [users.hamlet],
        });
        await edit('archived', { is_archived: false })(world);
      },
    ],
    [
      'a private channel archived and brought back',
      async (world) => {
        await world.as('owner').channels.archive({ stream_id: world.channels.protected });
        await edit('protected', { is_archived: false })(world);
      },
    ],
  ],
  'channels.archive': [
    ['a public channel', ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.public })],
    ['a private channel', ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.protected })],
    ['a default channel', ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.default })],
  ],
  'channelFolders.create': [['a folder', ({ as }) => as('owner').channelFolders.create({ name: 'Comedies' })]],
  'defaultChannels.add': [
    ['a default channel', ({ as, channels }) => as('owner').defaultChannels.add({ stream_id: channels.quiet })],
  ],
  'defaultChannels.remove': [
    ['no default channel', ({ as, channels }) => as('owner').defaultChannels.remove({ stream_id: channels.default })],
  ],
  'subscriptions.add': [
    [
      'oneself',
      ({ as }) => as('cordelia').subscriptions.add({ subscriptions: [{ name: CHANNELS.quiet, color: '#123456' }] }),
    ],
    [
      'a guest in a public channel',
      ({ as, users }) =>
        as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals: [users.guest] }),
    ],
    [
      'others in a private channel',
      ({ as, users }) =>
        as('hamlet').subscriptions.add({
          subscriptions: [{ name: CHANNELS.shared }],
          principals: [users.cordelia, users.guest, users.administrator],
        }),
    ],
    [
      'channels that are created',
      ({ as }) => as('cordelia').subscriptions.add({ subscriptions: [{ name: 'One' }, { name: 'Two' }] }),
    ],
    [
      'somebody who was there before',
      async ({ as }) => {
        await as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.public] });
        await as('cordelia').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
      },
    ],
  ],
  'subscriptions.remove': [
    [
      'oneself from a public channel',
      ({ as }) => as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.public] }),
    ],
    [
      'a guest from a public channel',
      ({ as }) => as('guest').subscriptions.remove({ subscriptions: [CHANNELS.default] }),
    ],
    [
      'somebody from a private channel',
      ({ as, users }) =>
        as('owner').subscriptions.remove({ subscriptions: [CHANNELS.protected], principals: [users.cordelia] }),
    ],
    [
      'everybody from a private channel',
      ({ as, users }) =>
        as('owner').subscriptions.remove({
          subscriptions: [CHANNELS.protected],
          principals: [users.guest, users.cordelia],
        }),
    ],
    [
      'a guest from a web-public channel',
      ({ as }) => as('guest').subscriptions.remove({ subscriptions: [CHANNELS.webPublic] }),
    ],
  ],
  'subscriptions.updateProperties': [
    [
      'colour and muting',
      ({ as, channels }) =>
        as('cordelia').subscriptions.updateProperties({
          subscription_data: [
            { stream_id: channels.public, property: 'color', value: '#ABC' },
            { stream_id: channels.public, property: 'in_home_view', value: false },
            { stream_id: channels.protected, property: 'push_notifications', value: true },
          ],
        }),
    ],
  ],
  'users.create': [
    ['a member', ({ as }) => as('administrator').users.create({ email: 'horatio@example.com', full_name: 'Horatio' })],
  ],
  'users.deactivate': [
    ['a member with bots', ({ as, users }) => as('administrator').users.deactivate({ user_id: users.hamlet })],
    [
      'somebody whom permissions name',
      async ({ as, users }) => {
        await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia], invite_only: true });
        await as('owner').users.deactivate({ user_id: users.moderator });
      },
    ],
    [
      'somebody whom permissions of the organization name',
      async ({ as, users }) => {
        const direct_members = [users.moderator, users.hamlet];
        await as('owner').organization.edit({
          can_resolve_topics_group: { new: { direct_members, direct_subgroups: [] } },
        });
        await as('owner').users.deactivate({ user_id: users.moderator });
      },
    ],
  ],
  'customEmoji.upload': [
    ['an emoji', ({ as }) => as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: png })],
    ['one that moves', ({ as }) => as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: animatedGif })],
  ],
  'customEmoji.deactivate': [
    [
      'one of two',
      async ({ as }) => {
        await as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: png });
        await as('cordelia').customEmoji.upload({ emoji_name: 'pottage', file: png });
        await as('administrator').customEmoji.deactivate({ emoji_name: 'gruel' });
      },
    ],
  ],
  'users.deactivateMe': [['a member', ({ as }) => as('moderator').users.deactivateMe()]],
  'users.reactivate': [
    ['a member', ({ as, users }) => as('administrator').users.reactivate({ user_id: users.deactivated })],
    [
      'somebody whom permissions name',
      async ({ as, users }) => {
        await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia] });
        await as('owner').users.deactivate({ user_id: users.moderator });
        await as('owner').users.reactivate({ user_id: users.moderator });
      },
    ],
  ],
  'playgrounds.create': [['a playground', (world) => playground(world, 'Python')]],
  'playgrounds.remove': [
    [
      'one of two',
      async (world) => {
        const { id: playground_id } = await playground(world, 'Python');
        await playground(world, 'Rust');
        await world.as('owner').playgrounds.remove({ playground_id });
      },
    ],
  ],
  'linkifiers.create': [['a linkifier', (world) => linkifiers(world, 'a')]],
  'linkifiers.edit': [
    [
      'another pattern',
      async (world) => {
        const [filter_id] = await linkifiers(world, 'a', 'b');
        await world
          .as('owner')
          .linkifiers.edit({ filter_id: filter_id as number, pattern: 'c', url_template: 'https://c' });
      },
    ],
  ],
  'linkifiers.remove': [
    [
      'one of two',
      async (world) => {
        const [filter_id] = await linkifiers(world, 'a', 'b');
        await world.as('owner').linkifiers.remove({ filter_id: filter_id as number });
      },
    ],
  ],
  'linkifiers.reorder': [
    [
      'the other way round',
      async (world) => {
        const ids = await linkifiers(world, 'a', 'b');
        await world.as('owner').linkifiers.reorder({ ordered_linkifier_ids: ids.reverse() });
      },
    ],
  ],
  'bots.create': [['a bot', ({ as }) => as('cordelia').bots.create({ full_name: 'Clock', short_name: 'clock' })]],
  'bots.deactivate': [['a bot', ({ as, users }) => as('administrator').bots.deactivate({ bot_id: users.bot })]],
  'settings.edit': [
    [
      'preferences and time zone',
      ({ as }) =>
        as('cordelia').settings.edit({ enter_sends: true, default_language: 'de', timezone: 'Europe/Copenhagen' }),
    ],
    ['a name', ({ as }) => as('hamlet').settings.edit({ full_name: 'Prince Hamlet' })],
    ['read receipts of a guest', ({ as }) => as('guest').settings.edit({ send_read_receipts: false })],
  ],
  'organization.edit': [
    [
      'name, description and settings',
      ({ as, channels }) =>
        as('owner').organization.edit({
          ...{ name: 'Kronborg', description: 'x', allow_message_editing: false, enable_read_receipts: true },
          ...{ message_content_edit_limit_seconds: 'unlimited', message_content_delete_limit_seconds: 1 },
          ...{ move_messages_within_stream_limit_seconds: 2, move_messages_between_streams_limit_seconds: 3 },
          ...{ message_edit_history_visibility_policy: 'none', topics_policy: 'disable_empty_topic' },
          ...{ enable_spectator_access: true, require_unique_names: true, send_channel_events_messages: false },
          ...{ default_code_block_language: 'python', new_stream_announcements_stream_id: channels.quiet },
        }),
    ],
    ['the waiting period', ({ as }) => as('owner').organization.edit({ waiting_period_threshold: 10 })],
    [
      'permissions',
      ({ as, users, groups }) =>
        as('administrator').organization.edit({
          can_resolve_topics_group: { new: 4 },
          can_delete_own_message_group: {
            new: { direct_members: [users.cordelia], direct_subgroups: [groups.kitchen, 4] },
          },
        }),
    ],
  ],
  'bots.regenerateApiKey': [['a key', ({ as, users }) => as('hamlet').bots.regenerateApiKey({ bot_id: users.bot })]],
};

/** Operations that write, but nothing that a client's first state shows. */
const UNSEEN = ['events.delete', 'users.regenerateApiKey', 'messages.addReaction', 'messages.removeReaction'];

const VIEWERS = ['owner', 'administrator', 'cordelia', 'hamlet', 'newcomer', 'guest'] as const;

/** As a newer client registers, and as one to whom archived channels are not there. */
const REGISTRATIONS = [true, false].map((archived_channels) => ({
  include_subscribers: true,
  client_capabilities: {
    archived_channels,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
  },
}));

for (const [operation, changes] of Object.entries(CHANGES)) {
  describe(`after ${operation}, the state before and the events make the state`, () => {
    for (const [sentence, change] of changes) {
      test(sentence, async () => {
        const world = await sqliteEngine.world();
        try {
          await holdsTrue(world, change);
        } finally {
          await world.close();
        }
      });
    }
  });
}

async function holdsTrue(world: World, change: Change[1]): Promise<void> {
  const before: { viewer: UserName; registration: (typeof REGISTRATIONS)[number]; state: State }[] = [];
  for (const viewer of VIEWERS) {
    for (const registration of REGISTRATIONS)
      before.push({ viewer, registration, state: await world.as(viewer).register(registration) });
  }
  await change(world);
  for (const { viewer, registration, state } of before) {
    const session = world.as(viewer);
    // Who was deactivated has no events and no state any more.
    const me = await world.storage.read((tx) => tx.users.byId(world.users[viewer]));
    if (!me?.is_active) continue;
    const { events } = await session.events.list({ queue_id: state.queue_id, last_event_id: -1, dont_block: true });
    for (const event of events) {
      assertEventKeys(event);
      applyEvent(state, event, world.users[viewer]);
    }
    const after = await session.register(registration);
    const [told, found] = [comparable(state), comparable(after)];
    const who = `${viewer}, archived channels: ${registration.client_capabilities.archived_channels}`;
    for (const key of Object.keys(found)) assert.deepEqual(told[key], found[key], `${key} of ${who}`);
  }
}

test('every operation that changes the state is tried', () => {
  const writing = catalogue.filter((operation) => operation.effect === 'write' || operation.effect === 'append');
  const names = [...writing.map((operation) => operation.name), 'users.create', 'customEmoji.upload'];
  const missing = names.filter((name) => !Object.hasOwn(CHANGES, name) && !UNSEEN.includes(name));
  assert.deepEqual(missing, []);
});

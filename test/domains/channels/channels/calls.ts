import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const edit =
  (channel: ChannelName, change: object, as: UserName = 'owner') =>
  (world: World) =>
    world.as(as).channels.edit({ stream_id: world.channels[channel], ...change });

export const matrix: PlainCalls = {
  'channels.search': () => ({ query: 'd' }),
  'channels.get': ({ channels }) => ({ stream_id: channels.protected }),
  'channels.getEmailAddress': ({ channels }) => ({ stream_id: channels.protected }),
  'channels.getId': () => ({ stream: CHANNELS.protected }),
  'channels.create': () => ({ name: 'New', subscribers: [] }),
  'channels.edit': ({ channels }) => ({ stream_id: channels.protected, description: 'new' }),
  'channels.archive': ({ channels }) => ({ stream_id: channels.protected }),
  'channels.subscribers': ({ channels }) => ({ stream_id: channels.protected }),
};

export const changes: Changes = {
  'channels.create': {
    'a public channel': ({ as, users }) =>
      as('hamlet').channels.create({ name: 'New', subscribers: [users.hamlet, users.guest] }),
    'a private channel': ({ as, users }) =>
      as('hamlet').channels.create({ name: 'New', invite_only: true, subscribers: [users.cordelia, users.guest] }),
    'a private channel with an administrator in it': ({ as, users }) =>
      as('hamlet').channels.create({ name: 'New', invite_only: true, subscribers: [users.administrator] }),
    'a default channel': ({ as }) =>
      as('owner').channels.create({ name: 'New', subscribers: [], is_default_stream: true }),
    'a web-public channel': async ({ as, users }) => {
      await as('owner').organization.edit({ enable_spectator_access: true });
      await as('owner').channels.create({ name: 'New', subscribers: [users.guest], is_web_public: true });
    },
  },
  'channels.edit': {
    'a new name': edit('public', { new_name: 'Dania' }),
    'a new description': edit('webPublic', { description: 'a *b*' }),
    'a private channel made public': async (world) => {
      const { as, users } = world;
      await as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.shared }],
        principals: [users.administrator],
      });
      await edit('shared', { is_private: false }, 'administrator')(world);
    },
    'a private channel made web-public': async (world) => {
      const { as, users } = world;
      await world.as('owner').organization.edit({ enable_spectator_access: true });
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.shared }], principals: [users.owner] });
      await edit('shared', { is_web_public: true }, 'owner')(world);
    },
    'a public channel made web-public': async (world) => {
      await world.as('owner').organization.edit({ enable_spectator_access: true });
      await edit('public', { is_web_public: true }, 'owner')(world);
    },
    'a permission that lets a user see a private channel': edit('shared', {
      can_administer_channel_group: { new: 6 },
    }),
    'a removed permission that let a user see a private channel': async (world) => {
      await edit('shared', { can_administer_channel_group: { new: 6 } })(world);
      await edit('shared', { can_administer_channel_group: { new: 1 } })(world);
    },
    'a public channel made private': edit('public', { is_private: true }, 'administrator'),
    'a web-public channel made public': edit('webPublic', { is_web_public: false }),
    'a further default channel': edit('public', { is_default_stream: true }),
    'another topics policy': edit('public', { topics_policy: 'disable_empty_topic' }),
    'another retention': edit('public', { message_retention_days: 7 }),
    'a folder': (world) => edit('public', { folder_id: world.folders.plays })(world),
    'another permission to post': edit('public', { can_send_message_group: { new: 3 } }),
    'several permissions': edit('public', { can_subscribe_group: { new: 6 }, can_resolve_topics_group: { new: 7 } }),
    'an archived channel restored': edit('archived', { is_archived: false }),
    'a channel archived by an edit': edit('public', { is_archived: true, new_name: 'Dania' }),
    'a channel made public and archived in one edit': async (world) => {
      const { as, users } = world;
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.shared }], principals: [users.owner] });
      await edit('shared', { is_private: false, is_archived: true })(world);
    },
    'a default channel archived by an edit': edit('default', { is_archived: true }),
    'an archived channel edited': edit('archived', { new_name: 'Attic', can_subscribe_group: { new: 6 } }),
    'an archived channel restored under another name': edit('archived', { is_archived: false, new_name: 'Attic' }),
    'an archived channel made private and public': async (world) => {
      await world.as('owner').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
      await world.as('owner').channels.archive({ stream_id: world.channels.public });
      await edit('public', { is_private: true })(world);
      await edit('public', { is_private: false })(world);
    },
    'an archived channel made private and then restored': async (world) => {
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
    'a private channel archived and restored': async (world) => {
      await world.as('owner').channels.archive({ stream_id: world.channels.protected });
      await edit('protected', { is_archived: false })(world);
    },
  },
  'channels.archive': {
    'a public channel': ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.public }),
    'a private channel': ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.protected }),
    'a default channel': ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.default }),
  },
};

export const statements: ScalingCalls = {
  'channels.search': ({ world }) => world.as('hamlet').channels.search({ query: '' }),
  'channels.list': ({ world }) => world.as('hamlet').channels.list(),
  'channels.subscribers': ({ world, crowded }) => world.as('hamlet').channels.subscribers({ stream_id: crowded }),
  'channels.create': {
    'with subscribers': ({ world, users }) =>
      world.as('owner').channels.create({ name: 'Brand new', subscribers: users }),
    private: ({ world, users }) =>
      world.as('owner').channels.create({ name: 'Brand new and private', subscribers: users, invite_only: true }),
  },
};

import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'subscriptions.get': ({ users, channels }) => ({ user_id: users.cordelia, stream_id: channels.protected }),
  'subscriptions.add': () => ({ subscriptions: [{ name: CHANNELS.quiet }] }),
  'subscriptions.remove': async ({ as, users }) => {
    const principals = [users.bot];
    await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals });
    return { subscriptions: [CHANNELS.public], principals };
  },
  'subscriptions.update': () => ({ add: [{ name: CHANNELS.quiet }], delete: [CHANNELS.webPublic] }),
  'subscriptions.updateProperties': ({ channels }) => ({
    subscription_data: [{ stream_id: channels.protected, property: 'pin_to_top', value: true }],
  }),
};

export const changes: Changes = {
  'subscriptions.add': {
    oneself: ({ as }) =>
      as('cordelia').subscriptions.add({ subscriptions: [{ name: CHANNELS.quiet, color: '#123456' }] }),
    'a guest in a public channel': ({ as, users }) =>
      as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals: [users.guest] }),
    'other users in a private channel': ({ as, users }) =>
      as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.shared }],
        principals: [users.cordelia, users.guest, users.administrator],
      }),
    'new channels': ({ as }) => as('cordelia').subscriptions.add({ subscriptions: [{ name: 'One' }, { name: 'Two' }] }),
    'new private channels': ({ as, users }) =>
      as('cordelia').subscriptions.add({
        subscriptions: [{ name: 'Secret 1' }, { name: 'Secret 2' }, { name: 'Secret 3' }],
        principals: [users.cordelia, users.guest, users.administrator],
        invite_only: true,
      }),
    'several users in several channels': ({ as, users }) =>
      as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.quiet }, { name: CHANNELS.webPublic }, { name: CHANNELS.public }],
        principals: [users.cordelia, users.newcomer, users.guest, users.bot],
      }),
    'several users in a web-public channel': ({ as, users }) =>
      as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.webPublic }],
        principals: [users.cordelia, users.moderator],
      }),
    'several administrators in a private channel': ({ as, users }) =>
      as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.shared }],
        principals: [users.owner, users.secondOwner, users.bot, users.guest],
      }),
    'a former subscriber': async ({ as }) => {
      await as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.public] });
      await as('cordelia').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
    },
  },
  'subscriptions.remove': {
    'the own account from a public channel': ({ as }) =>
      as('cordelia').subscriptions.remove({ subscriptions: [CHANNELS.public] }),
    'a guest from a public channel': ({ as }) =>
      as('guest').subscriptions.remove({ subscriptions: [CHANNELS.default] }),
    'another user from a private channel': ({ as, users }) =>
      as('owner').subscriptions.remove({ subscriptions: [CHANNELS.protected], principals: [users.cordelia] }),
    'all users from a private channel': ({ as, users }) =>
      as('owner').subscriptions.remove({
        subscriptions: [CHANNELS.protected],
        principals: [users.guest, users.cordelia],
      }),
    'several users from a public channel': ({ as, users }) =>
      as('owner').subscriptions.remove({
        subscriptions: [CHANNELS.public],
        principals: [users.hamlet, users.cordelia, users.administrator],
      }),
    'several users from several channels': async ({ as, users }) => {
      await as('owner').subscriptions.add({
        subscriptions: [{ name: CHANNELS.webPublic }],
        principals: [users.cordelia, users.newcomer],
      });
      await as('owner').subscriptions.remove({
        subscriptions: [CHANNELS.webPublic, CHANNELS.default, CHANNELS.public],
        principals: [users.hamlet, users.guest, users.cordelia, users.newcomer],
      });
    },
    'administrators and other users from a private channel': async ({ as, users }) => {
      const principals = [users.owner, users.administrator, users.guest, users.bot];
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.shared }], principals });
      await as('secondOwner').subscriptions.remove({
        subscriptions: [CHANNELS.shared],
        principals: [...principals, users.moderator],
      });
    },
    'several users from an archived channel': async ({ as, users, channels }) => {
      await as('owner').channels.archive({ stream_id: channels.public });
      await as('owner').subscriptions.remove({
        subscriptions: [CHANNELS.public],
        principals: [users.hamlet, users.cordelia],
      });
    },
    'a user with their bots': async ({ as, users }) => {
      const principals = [users.hamlet, users.bot, users.guest];
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals });
      await as('owner').subscriptions.remove({ subscriptions: [CHANNELS.public], principals });
    },
    'the only user who shares a channel with a guest': ({ as, users }) =>
      as('owner').subscriptions.remove({ subscriptions: [CHANNELS.protected], principals: [users.cordelia] }),
    'a guest from every channel': async ({ as }) =>
      as('guest').subscriptions.remove({
        subscriptions: [CHANNELS.webPublic, CHANNELS.default, CHANNELS.protected],
      }),
    'a guest from a web-public channel': ({ as }) =>
      as('guest').subscriptions.remove({ subscriptions: [CHANNELS.webPublic] }),
  },
  'subscriptions.update': {
    'one channel for another': ({ as }) =>
      as('cordelia').subscriptions.update({ add: [{ name: CHANNELS.quiet }], delete: [CHANNELS.public] }),
    'a new channel for a private one': ({ as }) =>
      as('cordelia').subscriptions.update({ add: [{ name: 'One' }], delete: [CHANNELS.protected] }),
  },
  'subscriptions.updateProperties': {
    'color and muting': ({ as, channels }) =>
      as('cordelia').subscriptions.updateProperties({
        subscription_data: [
          { stream_id: channels.public, property: 'color', value: '#ABC' },
          { stream_id: channels.public, property: 'in_home_view', value: false },
          { stream_id: channels.protected, property: 'push_notifications', value: true },
        ],
      }),
  },
};

export const statements: ScalingCalls = {
  'subscriptions.list': {
    'with subscribers': ({ world }) => world.as('hamlet').subscriptions.list({ include_subscribers: true }),
  },
  'subscriptions.add': {
    'of users': ({ world, users }) =>
      world.as('hamlet').subscriptions.add({
        subscriptions: [{ name: 'Norway' }],
        principals: users,
        send_new_subscription_messages: false,
      }),
  },
  'subscriptions.remove': {
    'of users': ({ world, users }) =>
      world.as('owner').subscriptions.remove({ subscriptions: ['Norway'], principals: users }),
  },
};

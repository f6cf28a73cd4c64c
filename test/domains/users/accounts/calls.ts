import { type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'users.get': ({ users }) => ({ user_id: users.cordelia }),
  'users.getByEmail': ({ emails }) => ({ email: emails.cordelia }),
  'users.create': () => ({ email: 'new@example.com', full_name: 'New' }),
  'users.deactivate': ({ users }) => ({ user_id: users.cordelia }),
  'users.reactivate': ({ users }) => ({ user_id: users.deactivated }),
};

export const changes: Changes = {
  'users.create': {
    'a member': ({ as }) => as('administrator').users.create({ email: 'horatio@example.com', full_name: 'Horatio' }),
    'a guest': ({ as }) => as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric', role: 600 }),
  },
  'users.deactivate': {
    'a member with bots': ({ as, users }) => as('administrator').users.deactivate({ user_id: users.hamlet }),
    'a member whose bots are in the same channels': async ({ as, users }) => {
      await as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.public }, { name: CHANNELS.default }],
        principals: [users.bot, users.webhook],
      });
      await as('owner').users.deactivate({ user_id: users.hamlet });
    },
    'somebody with whom a guest shares a channel': ({ as, users }) =>
      as('owner').users.deactivate({ user_id: users.cordelia }),
    'somebody with whom a guest has nothing to do': ({ as, users }) =>
      as('owner').users.deactivate({ user_id: users.moderator }),
    'a guest': ({ as, users }) => as('owner').users.deactivate({ user_id: users.guest }),
    'somebody whom permissions name': async ({ as, users }) => {
      await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia], invite_only: true });
      await as('owner').users.deactivate({ user_id: users.moderator });
    },
    'somebody whom permissions of the organization name': async ({ as, users }) => {
      const direct_members = [users.moderator, users.hamlet];
      await as('owner').organization.edit({
        can_resolve_topics_group: { new: { direct_members, direct_subgroups: [] } },
      });
      await as('owner').users.deactivate({ user_id: users.moderator });
    },
  },
  'users.deactivateMe': {
    'a member': ({ as }) => as('moderator').users.deactivateMe(),
  },
  'users.reactivate': {
    'somebody with whom a guest shares a channel and another has written': async ({ as, users }) => {
      await as('guest').messages.send({ type: 'direct', to: [users.cordelia], content: 'Good day.' });
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await as('owner').users.deactivate({ user_id: users.cordelia });
      await as('owner').users.reactivate({ user_id: users.cordelia });
      await as('owner').users.reactivate({ user_id: users.hamlet });
    },
    'a member': ({ as, users }) => as('administrator').users.reactivate({ user_id: users.deactivated }),
    'somebody whom permissions name': async ({ as, users }) => {
      await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia] });
      await as('owner').users.deactivate({ user_id: users.moderator });
      await as('owner').users.reactivate({ user_id: users.moderator });
    },
  },
  'users.regenerateApiKey': UNSEEN,
};

export const statements: ScalingCalls = {
  'users.get': ({ world, users }) => world.as('hamlet').users.get({ user_id: users[0] as number }),
  'users.list': {
    'of everybody': ({ world }) => world.as('hamlet').users.list(),
    'of some': ({ world, users }) => world.as('hamlet').users.list({ user_ids: users }),
  },
};

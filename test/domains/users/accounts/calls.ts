import { type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';

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
  },
  'users.deactivate': {
    'a member with bots': ({ as, users }) => as('administrator').users.deactivate({ user_id: users.hamlet }),
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

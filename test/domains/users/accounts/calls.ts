import { ROLES } from '../../../../lib/rules/roles.ts';
import { type Change, type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'users.search': () => ({ query: 'c' }),
  'users.get': ({ users }) => ({ user_id: users.moderator }),
  'users.getByEmail': ({ emails }) => ({ email: emails.moderator }),
  'users.create': () => ({ email: 'new@example.com', full_name: 'New' }),
  'users.ensure': () => ({ email: 'new@example.com', full_name: 'New' }),
  'users.createMany': () => ({ people: [{ email: 'new@example.com', full_name: 'New' }] }),
  'users.deactivate': ({ users }) => ({ user_id: users.cordelia }),
  'users.reactivate': ({ users }) => ({ user_id: users.deactivated }),
  'users.edit': ({ users }) => ({ user_id: users.bot, full_name: 'Clerk of the court' }),
  'users.editByEmail': ({ emails }) => ({ email: emails.cordelia, role: 300 }),
};

export const changes: Changes = {
  'users.create': {
    'a member': ({ as }) => as('administrator').users.create({ email: 'horatio@example.com', full_name: 'Horatio' }),
    'a guest': ({ as }) => as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric', role: 600 }),
  },
  'users.ensure': {
    'a new user': ({ as }) => as('owner').users.ensure({ email: 'osric@example.com', full_name: 'Osric' }),
  },
  'users.createMany': {
    'a guest and members in public and private channels': ({ as }) =>
      as('owner').users.createMany({
        people: [
          {
            email: 'osric@example.com',
            full_name: 'Osric',
            role: 600,
            channels: [CHANNELS.public, CHANNELS.webPublic],
          },
          { email: 'reynaldo@example.com', full_name: 'Reynaldo', channels: [CHANNELS.public] },
          { email: 'marcellus@example.com', full_name: 'Marcellus', role: 200 },
        ],
      }),
  },
  'users.edit': {
    ...roleChanges(),
    'another role and back, with a private channel for that role': async ({ as, users, channels }) => {
      await as('moderator').subscriptions.add({
        subscriptions: [{ name: CHANNELS.shared }],
        principals: [users.owner],
      });
      await as('owner').channels.edit({ stream_id: channels.shared, can_subscribe_group: { new: 4 } });
      const { edit } = as('owner').users;
      await edit({ user_id: users.cordelia, role: 300 });
      await edit({ user_id: users.cordelia, role: 400 });
    },
    'roles while addresses are visible to some': async ({ as, users }) => {
      await as('hamlet').settings.edit({ email_address_visibility: 3 });
      await as('moderator').settings.edit({ email_address_visibility: 5 });
      await as('newcomer').settings.edit({ email_address_visibility: 2 });
      await as('cordelia').settings.edit({ email_address_visibility: 4 });
      const { edit } = as('owner').users;
      await edit({ user_id: users.guest, role: 400 });
      await edit({ user_id: users.newcomer, role: 600 });
      await edit({ user_id: users.cordelia, role: 200 });
      await edit({ user_id: users.administrator, role: 300 });
    },
    'a role of a deactivated account': ({ as, users }) =>
      as('owner').users.edit({ user_id: users.deactivated, role: 300 }),
    'a role of a bot': ({ as, users }) => as('owner').users.edit({ user_id: users.bot, role: 200 }),
    'names of a user and a bot': async ({ as, users }) => {
      await as('administrator').users.edit({ user_id: users.cordelia, full_name: 'Cordelia of France' });
      await as('hamlet').users.edit({ user_id: users.bot, full_name: 'Clerk of the court' });
    },
    'visible and hidden addresses of users and a bot': async (world) => {
      await world.mayChangeAddresses('owner');
      const { as, users } = world;
      await as('newcomer').settings.edit({ email_address_visibility: 3 });
      const { edit } = as('owner').users;
      for (const user of ['cordelia', 'newcomer', 'guest', 'bot', 'owner'] as const) {
        await edit({ user_id: users[user], new_email: `other-${user}@example.com` });
      }
    },
  },
  'users.editByEmail': {
    'role and name': ({ as, emails }) =>
      as('owner').users.editByEmail({ email: emails.hamlet, role: 300, full_name: 'Prince Hamlet' }),
  },
  'users.deactivate': {
    'a member with bots': ({ as, users }) => as('administrator').users.deactivate({ user_id: users.hamlet }),
    'a member with bots in the same channels': async ({ as, users }) => {
      await as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.public }, { name: CHANNELS.default }],
        principals: [users.bot, users.webhook],
      });
      await as('owner').users.deactivate({ user_id: users.hamlet });
    },
    'a user who shares a channel with a guest': ({ as, users }) =>
      as('owner').users.deactivate({ user_id: users.cordelia }),
    'a user without a shared channel with a guest': ({ as, users }) =>
      as('owner').users.deactivate({ user_id: users.moderator }),
    'a guest': ({ as, users }) => as('owner').users.deactivate({ user_id: users.guest }),
    'a user named in permissions': async ({ as, users }) => {
      await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia], invite_only: true });
      await as('owner').users.deactivate({ user_id: users.moderator });
    },
    'a user named in permissions of the organization': async ({ as, users }) => {
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
    'a user who shares a channel with a guest and wrote to another': async ({ as, users }) => {
      await as('guest').messages.send({ type: 'direct', to: [users.cordelia], content: 'Good day.' });
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await as('owner').users.deactivate({ user_id: users.cordelia });
      await as('owner').users.reactivate({ user_id: users.cordelia });
      await as('owner').users.reactivate({ user_id: users.hamlet });
    },
    'a member': ({ as, users }) => as('administrator').users.reactivate({ user_id: users.deactivated }),
    'a user named in permissions': async ({ as, users }) => {
      await as('moderator').channels.create({ name: 'New', subscribers: [users.cordelia] });
      await as('owner').users.deactivate({ user_id: users.moderator });
      await as('owner').users.reactivate({ user_id: users.moderator });
    },
  },
  'users.regenerateApiKey': UNSEEN,
};

export const statements: ScalingCalls = {
  'users.get': ({ world, users }) => world.as('hamlet').users.get({ user_id: users[0] as number }),
  'users.createMany': ({ world, users }) =>
    world.as('owner').users.createMany({
      people: users.map((_, at) => ({
        email: `import${at}@example.com`,
        full_name: 'Somebody',
        channels: ['crowded'],
      })),
    }),
  'users.edit': {
    'a name': ({ world, users }) =>
      world.as('owner').users.edit({ user_id: users[0] as number, full_name: 'Somebody' }),
  },
  'users.ensure': ({ world }) => world.as('owner').users.ensure({ email: 'extra0@example.com', full_name: 'Extra' }),
  'users.search': ({ world, crowded }) => world.as('hamlet').users.search({ query: 'e', stream_id: crowded }),
  'users.list': {
    'of all users': ({ world }) => world.as('hamlet').users.list(),
    'of some users': ({ world, users }) => world.as('hamlet').users.list({ user_ids: users }),
  },
};

/** Gives each user each role that they can have. */
function roleChanges(): Record<string, Change> {
  const people = { owner: 100, administrator: 200, moderator: 300, hamlet: 400, guest: 600 } as const;
  const all: Record<string, Change> = {};
  for (const [user, present] of Object.entries(people) as [keyof typeof people, number][]) {
    for (const role of ROLES) {
      if (role === present || (present === 600 && role <= 200)) continue;
      all[`the ${user} is given the role ${role}`] = ({ as, users }) =>
        as('secondOwner').users.edit({ user_id: users[user], role });
    }
  }
  return all;
}

import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { letKnow } from '../../../world/group-events.ts';
import type { World } from '../../../world/world.ts';

const members = (group: keyof World['groups'], change: (world: World) => object) => (world: World) =>
  world.as('owner').userGroups.updateMembers({ user_group_id: world.groups[group], ...change(world) });
const edit = (group: keyof World['groups'], change: object) => (world: World) =>
  world.as('owner').userGroups.edit({ user_group_id: world.groups[group], ...change });

export const matrix: PlainCalls = {
  'userGroups.create': () => ({ name: 'New', description: '', members: [] }),
  'userGroups.edit': ({ groups }) => ({ user_group_id: groups.kitchen, description: 'new' }),
  'userGroups.deactivate': ({ groups }) => ({ user_group_id: groups.kitchen }),
  'userGroups.updateMembers': ({ groups, users }) => ({ user_group_id: groups.kitchen, add: [users.moderator] }),
  'userGroups.updateSubgroups': ({ groups }) => ({ user_group_id: groups.kitchen, add: [groups.hamletcharacters] }),
  'userGroups.members': ({ groups }) => ({ user_group_id: groups.kitchen }),
  'userGroups.subgroups': ({ groups }) => ({ user_group_id: groups.kitchen }),
  'userGroups.isMember': ({ groups, users }) => ({ user_group_id: groups.kitchen, user_id: users.cordelia }),
};

export const changes: Changes = {
  'userGroups.create': {
    'a group with members': ({ as, users }) =>
      as('hamlet').userGroups.create({ name: 'New', description: '', members: [users.cordelia, users.guest] }),
    'a group with permissions and subgroups': ({ as, users, groups }) =>
      as('hamlet').userGroups.create({
        name: 'New',
        description: 'x',
        members: [users.bot],
        subgroups: [groups.cooks],
        can_join_group: { direct_members: [users.cordelia], direct_subgroups: [groups.kitchen] },
        can_mention_group: groups.kitchen,
      }),
  },
  'userGroups.edit': {
    'a new name and description': edit('kitchen', { name: 'galley', description: 'below' }),
    'several permissions': (world) =>
      edit('kitchen', {
        can_join_group: { new: 6 },
        can_manage_group: { new: { direct_members: [world.users.cordelia], direct_subgroups: [] } },
      })(world),
    'a group reactivated': edit('disbanded', { deactivated: false }),
    'a group reactivated under another name and with other permissions': edit('disbanded', {
      name: 'banded',
      deactivated: false,
      can_join_group: { new: 6 },
    }),
    'a deactivated group': edit('disbanded', { name: 'gone', description: 'x', can_join_group: { new: 6 } }),
  },
  'userGroups.deactivate': {
    'a group': ({ as, groups }) => as('owner').userGroups.deactivate({ user_group_id: groups.kitchen }),
    'a group that is then reactivated': async (world) => {
      await world.as('owner').userGroups.deactivate({ user_group_id: world.groups.kitchen });
      await members('kitchen', ({ users }) => ({ add: [users.moderator], delete: [users.hamlet] }))(world);
      await edit('kitchen', { deactivated: false })(world);
    },
  },
  'userGroups.updateMembers': {
    'members added and removed': members('kitchen', ({ users }) => ({
      add: [users.moderator, users.guest, users.bot],
      delete: [users.hamlet],
    })),
    'groups added and removed': members('kitchen', ({ groups }) => ({
      add_subgroups: [groups.hamletcharacters, 7],
      delete_subgroups: [groups.cooks],
    })),
    'members of a deactivated group': members('disbanded', ({ users, groups }) => ({
      add: [users.moderator],
      delete: [users.hamlet],
      add_subgroups: [groups.cooks],
    })),
    'members who can see a private channel through the group': async (world) => {
      await letKnow(world, ({ groups }) => groups.kitchen);
      await members('cooks', ({ users }) => ({
        add: [users.newcomer, users.guest, users.moderator, users.administrator, users.bot],
        delete: [users.cordelia],
      }))(world);
    },
    'members who can see a channel through one of several groups': async (world) => {
      await letKnow(world, ({ groups, users }) => ({
        direct_members: [users.newcomer],
        direct_subgroups: [groups.kitchen],
      }));
      await members('cooks', ({ users }) => ({ add: [users.newcomer], delete: [users.cordelia] }))(world);
    },
    'members who can see an archived private channel through the group': async (world) => {
      await letKnow(world, ({ groups }) => groups.cooks);
      await world.as('owner').channels.archive({ stream_id: world.channels.shared });
      await members('cooks', ({ users }) => ({ add: [users.newcomer], delete: [users.cordelia] }))(world);
    },
    'members who move from one group to another in its place': async (world) => {
      await letKnow(world, ({ groups }) => groups.kitchen);
      await members('kitchen', ({ users }) => ({ add: [users.cordelia] }))(world);
      await members('cooks', ({ users }) => ({ delete: [users.cordelia] }))(world);
    },
  },
  'userGroups.updateSubgroups': {
    'a subgroup added and one removed': ({ as, groups }) =>
      as('owner').userGroups.updateSubgroups({
        user_group_id: groups.kitchen,
        add: [groups.hamletcharacters],
        delete: [groups.cooks],
      }),
    'a system group added to a group that can see a private channel': async (world) => {
      await letKnow(world, ({ groups }) => groups.kitchen);
      const user_group_id = world.groups.cooks;
      await world.as('owner').userGroups.updateSubgroups({ user_group_id, add: [6] });
      await world.as('hamlet').subscriptions.add({
        subscriptions: [{ name: CHANNELS.shared }],
        principals: [world.users.newcomer],
      });
      await world.as('owner').userGroups.updateSubgroups({ user_group_id, delete: [6] });
    },
    'a removed subgroup whose members saw a private channel': async (world) => {
      await letKnow(world, ({ groups }) => groups.kitchen);
      await world
        .as('owner')
        .userGroups.updateSubgroups({ user_group_id: world.groups.kitchen, delete: [world.groups.cooks] });
    },
  },
};

export const statements: ScalingCalls = {
  'userGroups.create': ({ world, users }) =>
    world.as('owner').userGroups.create({ name: 'Everybody new', description: '', members: users }),
  'userGroups.updateMembers': {
    'with members added': ({ world, users }) =>
      world.as('owner').userGroups.updateMembers({ user_group_id: world.groups.cooks, add: users }),
    'with members removed': ({ world, users }) =>
      world.as('owner').userGroups.updateMembers({ user_group_id: world.groups.cooks, delete: users }),
    'with members who then see a private channel': async ({ world, users }) => {
      await letKnow(world, ({ groups }) => groups.cooks);
      await world.as('owner').userGroups.updateMembers({ user_group_id: world.groups.cooks, add: users });
    },
  },
  'userGroups.members': ({ world }) => world.as('hamlet').userGroups.members({ user_group_id: world.groups.kitchen }),
  'userGroups.isMember': ({ world, users: [user_id = 0] }) =>
    world.as('hamlet').userGroups.isMember({ user_group_id: world.groups.kitchen, user_id }),
};

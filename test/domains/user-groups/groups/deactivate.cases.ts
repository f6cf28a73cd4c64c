import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const deactivating = (group: keyof World['groups']): Case['call'] => [
  'userGroups.deactivate',
  ({ groups }) => ({ user_group_id: groups[group] }),
];
const exactly = (wanted: unknown) => (found: unknown) => {
  assert.deepEqual(found, wanted);
  return true;
};
const inUse = (name: string, given: Case['given'], objections: (world: World) => unknown[], says?: RegExp): Case => ({
  name,
  as: 'owner',
  ...(given ? { given } : {}),
  call: deactivating('cooks'),
  refuses: {
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    data: (world) => ({ objections: exactly(objections(world)) }),
    ...(says ? { says } : {}),
  },
});
const inKitchen = ({ groups }: World) => ({ type: 'subgroup', supergroup_ids: [groups.kitchen] });
const alone = ({ as, groups }: World) =>
  as('owner').userGroups.updateSubgroups({ user_group_id: groups.kitchen, delete: [groups.cooks] });

export const deactivateUserGroupCases = cases('userGroups.deactivate', [
  {
    name: 'a group is deactivated with its members, and disappears for clients without deactivated groups',
    as: 'owner',
    call: deactivating('kitchen'),
    returns: {},
    events: ({ groups }) => ({
      guest: [{ type: 'heartbeat' }, { type: 'user_group', op: 'remove', group_id: groups.kitchen }],
    }),
    state: async ({ as, groups, users }) => {
      const { user_groups } = await as('owner').userGroups.list({ include_deactivated_groups: true });
      const kitchen = user_groups.find(({ id }) => id === groups.kitchen);
      assert.equal(kitchen?.deactivated, true);
      assert.deepEqual(kitchen?.members, [users.hamlet]);
      assert.deepEqual(kitchen?.direct_subgroup_ids, [groups.cooks]);
      const { members } = await as('owner').userGroups.members({ user_group_id: groups.kitchen });
      assert.deepEqual(members, [users.hamlet, users.cordelia]);
    },
  },
  inUse(
    'a group that is a subgroup of another is refused as in use',
    undefined,
    (world) => [inKitchen(world)],
    /in use: contained in group \d+\. /,
  ),
  {
    name: 'a group that is a subgroup of deactivated groups only is deactivated',
    as: 'owner',
    given: ({ as, groups }) => as('owner').userGroups.deactivate({ user_group_id: groups.kitchen }),
    call: deactivating('cooks'),
  },
  inUse(
    'the refusal lists all groups, channels and permissions that name the group',
    async (world) => {
      const { as, channels, groups, users } = world;
      await as('owner').channels.edit({
        stream_id: channels.public,
        can_send_message_group: { new: groups.cooks },
        can_administer_channel_group: { new: { direct_members: [users.hamlet], direct_subgroups: [groups.cooks] } },
      });
      await as('owner').channels.edit({
        stream_id: channels.archived,
        can_send_message_group: { new: groups.cooks },
      });
      await as('owner').userGroups.edit({
        user_group_id: groups.hamletcharacters,
        can_join_group: { new: groups.cooks },
        can_mention_group: { new: { direct_members: [users.hamlet], direct_subgroups: [groups.cooks] } },
      });
      await as('owner').userGroups.edit({
        user_group_id: groups.disbanded,
        can_join_group: { new: groups.cooks },
      });
      await as('owner').organization.edit({
        can_resolve_topics_group: { new: groups.cooks },
        can_create_groups: { new: { direct_members: [users.hamlet], direct_subgroups: [groups.cooks, 2] } },
      });
    },
    (world) => [
      inKitchen(world),
      {
        type: 'channel',
        channel_id: world.channels.public,
        settings: ['can_administer_channel_group', 'can_send_message_group'],
      },
      {
        type: 'user_group',
        group_id: world.groups.hamletcharacters,
        settings: ['can_join_group', 'can_mention_group'],
      },
      { type: 'realm', settings: ['can_create_groups', 'can_resolve_topics_group'] },
    ],
    /in use: contained in group \d+, and 3 more\. /,
  ),
  inUse(
    'a group named by its own permission is refused as in use',
    async (world) => {
      await alone(world);
      const { as, groups } = world;
      await as('owner').userGroups.edit({ user_group_id: groups.cooks, can_join_group: { new: groups.cooks } });
    },
    ({ groups }) => [{ type: 'user_group', group_id: groups.cooks, settings: ['can_join_group'] }],
  ),
  {
    name: 'the refusal does not name a channel the caller cannot see',
    as: 'cordelia',
    given: async (world) => {
      await alone(world);
      const { as, groups, channels, users } = world;
      const direct_members = [users.cordelia];
      await as('owner').userGroups.edit({
        user_group_id: groups.cooks,
        can_manage_group: { new: { direct_members, direct_subgroups: [] } },
      });
      const can_send_message_group = { new: groups.cooks };
      await as('owner').channels.edit({ stream_id: channels.shared, can_send_message_group });
      await as('owner').channels.edit({ stream_id: channels.protected, can_send_message_group });
    },
    call: deactivating('cooks'),
    refuses: {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: ({ channels }) => ({
        objections: exactly([
          { type: 'channel', channel_id: channels.protected, settings: ['can_send_message_group'] },
          { type: 'channel', channel_id: null, settings: ['can_send_message_group'] },
        ]),
      }),
    },
  },
  {
    name: 'a deactivated group is refused',
    as: 'owner',
    call: deactivating('disbanded'),
    refuses: { code: 'BAD_REQUEST', says: /already deactivated/ },
  },
  {
    name: 'a group that does not exist is refused',
    as: 'owner',
    call: ['userGroups.deactivate', { user_group_id: 9999 }],
    refuses: { code: 'BAD_REQUEST', says: /no user group/ },
  },
  {
    name: 'a system group is refused',
    as: 'owner',
    call: ['userGroups.deactivate', { user_group_id: 3 }],
    refuses: { code: 'BAD_REQUEST', says: /is a system group/ },
  },
  {
    name: 'a user who cannot manage the group is refused',
    as: 'hamlet',
    call: deactivating('kitchen'),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  { name: 'a guest is refused', as: 'guest', call: deactivating('kitchen'), refuses: { code: 'BAD_REQUEST' } },
  { name: 'a bot is refused', as: 'bot', call: deactivating('kitchen'), refuses: { code: 'BAD_REQUEST' } },
]);

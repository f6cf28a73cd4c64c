import { systemGroupId } from '../../lib/rules/roles.ts';
import type { World } from './world.ts';

const OF_MEMBERS = [systemGroupId('role:fullmembers'), systemGroupId('role:members')];

/** Events about the groups of a member who joins or leaves: those of the role, and others. */
export const memberships = (op: 'add_members' | 'remove_members', ...others: readonly number[]) =>
  [...OF_MEMBERS, ...others].map((group_id) => ({ type: 'user_group', op, group_id }));

/** Shows the private channel "Council" to the users in a permission's value. */
export const letKnow = (world: World, value: (world: World) => unknown) =>
  world.as('owner').channels.edit({
    stream_id: world.channels.shared,
    can_administer_channel_group: { new: value(world) as number },
  });

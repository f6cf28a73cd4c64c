import { systemGroupId } from '../../lib/rules/roles.ts';
import type { World } from './world.ts';

const OF_MEMBERS = [systemGroupId('role:fullmembers'), systemGroupId('role:members')];

/** What everybody is told of the groups of a member who comes or goes: those of the role, and others. */
export const memberships = (op: 'add_members' | 'remove_members', ...others: readonly number[]) =>
  [...OF_MEMBERS, ...others].map((group_id) => ({ type: 'user_group', op, group_id }));

/** Lets those in a permission's value know of the private channel "Council". */
export const letKnow = (world: World, value: (world: World) => unknown) =>
  world.as('owner').channels.edit({
    stream_id: world.channels.shared,
    can_administer_channel_group: { new: value(world) as number },
  });

import type { ReadContext } from '../kernel/context.ts';

import { channelPermission } from '../rules/channels.ts';
import { isDirectMember } from '../rules/membership.ts';
import { nestedGroups } from '../rules/permissions.ts';
import { isGuest } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { ChannelHead, GroupSettingValue } from '../storage/storage.ts';

const nobody = systemGroupId('role:nobody');

/** Active accounts, guests excluded, that hold any of the values. */
export async function holdersOf(scope: ReadContext, values: readonly GroupSettingValue[]): Promise<Set<number>> {
  const members = new Set<number>();
  const groupIds: number[] = [];
  for (const value of values) {
    if (typeof value === 'number') groupIds.push(value);
    else {
      for (const id of value.direct_members) members.add(id);
      groupIds.push(...value.direct_subgroups);
    }
  }
  const named = groupIds.filter((id) => id !== nobody);
  if (named.length === 0) {
    if (members.size === 0) return members;
    const users = await scope.tx.users.byIds([...members]);
    return new Set(users.filter((user) => user.is_active && !isGuest(user)).map((user) => user.id));
  }
  const groups = await scope.tx.groups.all();
  const inside = nestedGroups(
    named,
    groups.filter((group) => !group.deactivated),
  );
  for (const group of groups) if (inside.has(group.id)) for (const id of group.members) members.add(id);
  const users = await scope.tx.users.changedSince(0);
  const systemGroups = groups.filter((group) => group.is_system_group && inside.has(group.id));
  const holders = users.filter(
    (user) =>
      user.is_active &&
      !user.is_system_bot &&
      !isGuest(user) &&
      (members.has(user.id) ||
        systemGroups.some((group) => isDirectMember(group.id, user, scope.organization, scope.now))),
  );
  return new Set(holders.map((user) => user.id));
}

/** Accounts that may know of a private channel without being subscribed, administrators aside (reference 3.5). */
export function metadataHolders(scope: ReadContext, channel: ChannelHead): Promise<Set<number>> {
  return holdersOf(scope, [
    channelPermission(channel, 'can_administer_channel_group'),
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ]);
}

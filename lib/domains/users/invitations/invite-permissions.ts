import { knownChannels } from '../../../access/channels.ts';
import { isGranted, membershipOf } from '../../../access/membership.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { hasContentAccess, mayAddSubscribersHere } from '../../../rules/channels.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { hasPermission, type Membership } from '../../../rules/permissions.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { GroupHead } from '../../../storage/interface/groups.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { hasGroupPermission } from '../../user-groups/group-access.ts';

/** Whether a user may invite by e-mail or, if `isForMany`, create multi-use links. */
export function mayInvite(context: ReadContext, inviter: User, isForMany: boolean): Promise<boolean> {
  return isGranted(context, inviter, isForMany ? 'create_multiuse_invite_group' : 'can_invite_users_group');
}

/** Lower numbers are more powerful roles. A user cannot invite to a role above their own. */
export function mayInviteAs(inviter: User, { invited_as }: Pick<Invitation, 'invited_as'>): boolean {
  return invited_as >= inviter.role;
}

/** A channel that an invitation subscribes new accounts to. */
export interface WantedChannel {
  id: number;
  /** Undefined if the inviter cannot read it. */
  channel: Channel | undefined;
  mayGive: boolean;
}

/**
 * For each channel: whether the inviter may subscribe others to it, or it is a default channel. Default channels need
 * the permission to subscribe others to at least one channel.
 */
export async function wantedChannels(
  context: ReadContext,
  inviter: User,
  ids: readonly number[],
): Promise<WantedChannel[]> {
  if (ids.length === 0) return [];
  const found = (await context.tx.channels.byIds([...new Set(ids)])).filter((channel) => !channel.is_archived);
  const { known, membership } = await knownChannels(context, inviter, found);
  const readable = new Map(known.filter((one) => one.readable).map(({ channel }) => [channel.id, channel]));
  const everywhere = organizationPermission(context.organization, 'can_add_subscribers_group');
  const mayAddAnywhere =
    isAdministrator(inviter) ||
    hasPermission(everywhere, membership, { guests: false, setting: 'can_add_subscribers_group' });
  const mayAdd = (channel: Channel) => mayAddAnywhere || mayAddSubscribersHere(channel, membership);
  const addable = new Set([...readable.values()].filter(mayAdd).map(({ id }) => id));
  const isAnyOnlyDefault = [...readable.values()].some(({ id, is_default }) => is_default && !addable.has(id));
  const mayGiveDefaults = addable.size > 0 || (isAnyOnlyDefault && (await mayAddSomewhere(context, membership)));
  return ids.map((id) => {
    const channel = readable.get(id);
    const mayGive = channel !== undefined && (addable.has(id) || (channel.is_default && mayGiveDefaults));
    return { id, channel, mayGive };
  });
}

/** Whether the settings of any channel allow the user to subscribe others to it. */
async function mayAddSomewhere({ tx }: ReadContext, membership: Membership): Promise<boolean> {
  const { id } = membership.user;
  const channels = (await tx.channels.rulesNaming([id])).filter(
    (channel) => !channel.is_archived && mayAddSubscribersHere(channel, membership),
  );
  if (channels.length === 0) return false;
  const subscribed = new Set((await tx.subscriptions.byChannel([id])).keys());
  return channels.some((channel) => hasContentAccess(channel, membership, subscribed.has(channel.id)));
}

/** A group that an invitation adds new accounts to. */
export interface WantedGroup {
  id: number;
  /** Undefined if it does not exist, is deactivated or is a system group. */
  group: GroupHead | undefined;
  mayGive: boolean;
}

/** For each group: whether the inviter may add members to it. */
export async function wantedGroups(
  context: ReadContext,
  inviter: User,
  ids: readonly number[],
): Promise<WantedGroup[]> {
  if (ids.length === 0) return [];
  const membership = await membershipOf(context, inviter);
  const found = await context.tx.groups.heads([...new Set(ids)]);
  const groups = new Map(
    found.filter((group) => !group.is_system_group && !group.deactivated).map((group) => [group.id, group]),
  );
  return ids.map((id) => {
    const group = groups.get(id);
    const mayGive =
      group !== undefined && hasGroupPermission(context.organization, group, membership, ['can_add_members_group']);
    return { id, group, mayGive };
  });
}

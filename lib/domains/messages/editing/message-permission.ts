import type { AccountContext } from '../../../kernel/context.ts';
import { isGrantedHere, type MessagePermission } from '../../../rules/channels.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../rules/permission-settings.ts';
import { hasPermission, type Membership } from '../../../rules/permissions.ts';
import type { Channel } from '../../../storage/interface/channels.ts';

/**
 * Whether the organization or the channel grants a permission on messages: either is enough. A direct
 * message has no channel to grant it.
 */
export function isGrantedByEither(
  { organization }: AccountContext,
  membership: Membership,
  channel: Channel | undefined,
  organizationKey: OrganizationPermission,
  channelKey: MessagePermission,
): boolean {
  const guests = ORGANIZATION_PERMISSIONS[organizationKey].everyone;
  if (
    hasPermission(organizationPermission(organization, organizationKey), membership, {
      guests,
      setting: organizationKey,
    })
  ) {
    return true;
  }
  return channel !== undefined && isGrantedHere(channel, membership, channelKey);
}

/** Whether a message may still be changed under a limit in seconds since it was sent; null is no limit. */
export function isWithin(limit: number | null, timestamp: number, nowMs: number): boolean {
  return limit === null || nowMs / 1000 - timestamp <= limit;
}

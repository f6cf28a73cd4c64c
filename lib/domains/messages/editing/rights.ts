import type { AccountContext } from '../../../kernel/context.ts';
import { isGrantedHere, type MessagePermission } from '../../../rules/channels.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../rules/permission-settings.ts';
import { hasPermission, type Membership } from '../../../rules/permissions.ts';
import type { Channel } from '../../../storage/interface/channels.ts';

/**
 * Whether the organization or the channel grants a permission on messages. Either is enough. Direct messages have no
 * channel.
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

/** Whether the age of a message is within a limit in seconds. Null means no limit. */
export function isWithin(limit: number | null, timestamp: number, nowMs: number): boolean {
  return limit === null || nowMs / 1000 - timestamp <= limit;
}

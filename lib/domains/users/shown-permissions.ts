import { whoKnowsOf } from '../../access/channel-audience.ts';
import type { WriteContext } from '../../kernel/context.ts';

import { channelPermission } from '../../rules/channels.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
} from '../../rules/permission-settings.ts';
import type { GroupSettingValue } from '../../storage/storage.ts';
import { onlyIfShown } from '../channels/archived-channels.ts';
import { groupSettingView } from '../user-groups/group-setting-value.ts';

const channelKeys = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
const organizationKeys = Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermission[];

/**
 * Permission values show active accounts only, so those that name accounts just deactivated or
 * reactivated look different now (reference 3.3).
 */
export async function permissionsShownAnew(scope: WriteContext, userIds: readonly number[]): Promise<void> {
  const { tx, organization, emit } = scope;
  const inactive = new Set(await tx.users.inactiveIds());
  const names = (value: GroupSettingValue) =>
    typeof value === 'object' && userIds.some((id) => value.direct_members.includes(id));
  for (const key of organizationKeys) {
    const value = organizationPermission(organization, key);
    if (!names(value)) continue;
    const data = { [key]: groupSettingView(value, inactive) };
    emit({ audience: { scope: 'everyone' }, event: { type: 'realm', op: 'update_dict', property: 'default', data } });
  }
  for (const channel of await tx.channels.all()) {
    const naming = channelKeys.filter((key) => names(channelPermission(channel, key)));
    if (naming.length === 0) continue;
    const audience = await whoKnowsOf(scope, channel);
    for (const property of naming) {
      const value = groupSettingView(channelPermission(channel, property), inactive);
      const event = { type: 'stream', op: 'update', stream_id: channel.id, name: channel.name, property, value };
      emit({ ...onlyIfShown(channel), audience, event });
    }
  }
}

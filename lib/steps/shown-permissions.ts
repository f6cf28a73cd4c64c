import type { TransactionContext } from '../operation.ts';
import { channelPermission } from '../rules/channels.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../rules/permission-settings.ts';
import { groupSettingView } from '../views/group-setting.ts';
import { whoKnowsOf } from './channel-audience.ts';

type Scope = Pick<TransactionContext, 'tx' | 'organization' | 'now' | 'emit'>;

const keys = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];

/**
 * Permission values show active accounts only, so those that name accounts just deactivated or
 * reactivated look different now (reference 3.3).
 */
export async function permissionsShownAnew(scope: Scope, userIds: readonly number[]): Promise<void> {
  const { tx, emit } = scope;
  const inactive = new Set(await tx.users.inactiveIds());
  for (const channel of await tx.channels.all()) {
    const naming = keys.filter((key) => {
      const value = channelPermission(channel, key);
      return typeof value === 'object' && userIds.some((id) => value.direct_members.includes(id));
    });
    if (naming.length === 0) continue;
    const audience = await whoKnowsOf(scope, channel);
    for (const property of naming) {
      const value = groupSettingView(channelPermission(channel, property), inactive);
      const event = { type: 'stream', op: 'update', stream_id: channel.id, name: channel.name, property, value };
      emit({ audience, event });
    }
  }
}

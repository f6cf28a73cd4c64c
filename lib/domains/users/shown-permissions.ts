import { channelAudiences } from '../../access/channel-audience.ts';
import { channelUpdated } from '../../access/events.ts';
import { groupSettingView } from '../../access/group-setting-value.ts';
import { inactiveUserIds } from '../../access/inactive-users.ts';
import type { ReadContext, WriteContext } from '../../kernel/context.ts';
import { defineOutboxKind } from '../../kernel/outbox.ts';
import { channelPermission } from '../../rules/channels.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import {
  CHANNEL_PERMISSION_NAMES,
  type ChannelPermission,
  ORGANIZATION_PERMISSION_NAMES,
} from '../../rules/permission-settings.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { GroupSettingValue } from '../../storage/interface/groups.ts';
import { onlyIfShown } from '../channels/archived-channels.ts';
import { organizationUpdatedDict } from '../organization/settings/events.ts';
import { emitShownGroupPermissions } from '../user-groups/account-memberships.ts';

/** Channel events per transaction. One user may be in the permissions of 10,000 channels. */
const EVENTS_PER_TRANSACTION = 2_500;

/** Permission values show active accounts only. So a value that contains one of these accounts has changed. */
export async function emitShownPermissions(context: WriteContext, userIds: readonly number[]): Promise<void> {
  const { tx, organization, emit, enqueue } = context;
  const inactive = await inactiveUserIds(context);
  const isNaming = naming(userIds);
  for (const key of ORGANIZATION_PERMISSION_NAMES) {
    const value = organizationPermission(organization, key);
    if (!isNaming(value)) continue;
    const data = { [key]: groupSettingView(value, inactive) };
    emit({ scope: 'everyone' }, organizationUpdatedDict({ property: 'default', data }));
  }
  await emitShownGroupPermissions(context, isNaming, inactive, userIds);
  const [first = [], ...others] = inParts(await tx.channels.naming(userIds), userIds);
  await emitOfChannels(context, first, userIds);
  for (const part of others) {
    enqueue(tellShownPermissions({ user_ids: [...userIds], channel_ids: part.map(({ id }) => id) }));
  }
}

/** Sends the remaining channel events after the transaction of the change, with current values. */
export const tellShownPermissions = defineOutboxKind<{ user_ids: number[]; channel_ids: number[] }>(
  'shown-permissions',
  {
    concurrency: 1,
    async perform(services, { user_ids, channel_ids }) {
      await services.mark(async (context) => {
        await emitOfChannels(context, await context.tx.channels.byIds(channel_ids), user_ids);
      });
    },
  },
);

async function emitOfChannels(
  context: ReadContext & Pick<WriteContext, 'emit'>,
  channels: readonly Channel[],
  userIds: readonly number[],
): Promise<void> {
  if (channels.length === 0) return;
  const inactive = await inactiveUserIds(context);
  const audiences = await channelAudiences(context, channels);
  for (const channel of channels) {
    const audience = audiences.get(channel.id) ?? {};
    for (const property of permissionsNaming(channel, userIds)) {
      const value = groupSettingView(channelPermission(channel, property), inactive);
      const event = channelUpdated({ stream_id: channel.id, name: channel.name, property, value });
      context.emit(audience, event, onlyIfShown(channel));
    }
  }
}

function inParts(channels: readonly Channel[], userIds: readonly number[]): Channel[][] {
  const parts: Channel[][] = [];
  let room = 0;
  for (const channel of channels) {
    const events = permissionsNaming(channel, userIds).length;
    if (events === 0) continue;
    if (events > room) {
      parts.push([]);
      room = EVENTS_PER_TRANSACTION;
    }
    parts.at(-1)?.push(channel);
    room -= events;
  }
  return parts;
}

function permissionsNaming(channel: Channel, userIds: readonly number[]): ChannelPermission[] {
  const isNaming = naming(userIds);
  return CHANNEL_PERMISSION_NAMES.filter((key) => isNaming(channelPermission(channel, key)));
}

const naming = (userIds: readonly number[]) => (value: GroupSettingValue) =>
  typeof value === 'object' && userIds.some((id) => value.direct_members.includes(id));

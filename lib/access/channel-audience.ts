import type { ReadContext } from '../kernel/context.ts';
import { channelPermission } from '../rules/channels.ts';
import type { ChannelHead } from '../storage/interface/channels.ts';
import type { Audience } from '../storage/interface/event-log.ts';
import { administratorIds } from './users.ts';
import { usersWithPermissions } from './users-with-permission.ts';

/** All users who can see that the channel exists, and so its settings and subscribers. */
export async function channelAudience(context: ReadContext, channel: ChannelHead): Promise<Audience> {
  return (await channelAudiences(context, [channel])).get(channel.id) as Audience;
}

/** The audiences of several channels, by channel ID. */
export async function channelAudiences(
  context: ReadContext,
  channels: readonly ChannelHead[],
): Promise<Map<number, Audience>> {
  const hidden = channels.filter((channel) => channel.invite_only && !channel.is_web_public);
  const knowing = await usersWithMetadataAccess(context, hidden);
  const administrators = hidden.length > 0 ? await administratorIds(context) : [];
  return new Map(
    channels.map((channel): [number, Audience] => {
      const { id } = channel;
      if (channel.is_web_public) return [id, { scope: 'everyone' }];
      if (!channel.invite_only) return [id, { scope: 'members', channel: id }];
      return [id, { channel: id, users: [...new Set([...(knowing.get(id) ?? []), ...administrators])] }];
    }),
  );
}

/** By channel, the users who can see private channels without a subscription. Does not include administrators. */
export async function usersWithMetadataAccess(
  context: ReadContext,
  channels: readonly ChannelHead[],
): Promise<Map<number, Set<number>>> {
  const found = await usersWithPermissions(
    context,
    channels.map((channel) => [
      channelPermission(channel, 'can_administer_channel_group'),
      channelPermission(channel, 'can_add_subscribers_group'),
      channelPermission(channel, 'can_subscribe_group'),
    ]),
  );
  return new Map(channels.map(({ id }, at) => [id, found[at] as Set<number>]));
}

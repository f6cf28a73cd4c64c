import type { ReadContext } from '../kernel/context.ts';
import { channelPermission } from '../rules/channels.ts';
import type { ChannelHead } from '../storage/interface/channels.ts';
import type { Audience } from '../storage/interface/event-log.ts';
import { administratorIds } from './users.ts';
import { usersWithPermission } from './users-with-permission.ts';

/** Everybody who may know that the channel exists; they may also see its settings and its subscribers. */
export async function channelAudience(context: ReadContext, channel: ChannelHead): Promise<Audience> {
  if (channel.is_web_public) return { scope: 'everyone' };
  if (!channel.invite_only) return { scope: 'members', channel: channel.id };
  const users = await usersWithMetadataAccess(context, channel);
  for (const id of await administratorIds(context)) users.add(id);
  return { channel: channel.id, users: [...users] };
}

/** Accounts that may know of a private channel without being subscribed, administrators aside. */
export function usersWithMetadataAccess(context: ReadContext, channel: ChannelHead): Promise<Set<number>> {
  return usersWithPermission(context, [
    channelPermission(channel, 'can_administer_channel_group'),
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ]);
}

import { whoKnowsOf } from '../../../access/channel-audience.ts';
import { metadataHolders } from '../../../access/users-with-permission.ts';
import type { WriteContext } from '../../../kernel/context.ts';

import { isAdministrator, isGuest } from '../../../rules/roles.ts';
import type { Channel, User } from '../../../storage/storage.ts';
import { onlyIfShown } from '../archived-channels.ts';

/**
 * Ends subscriptions: permission has been checked. What the users had not read there counts as read
 * from now on. Returns the pairs that were subscribed.
 */
export async function unsubscribe(
  scope: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
): Promise<{ user_id: number; channel_id: number }[]> {
  const { tx } = scope;
  const pairs = channels.flatMap((channel) => users.map((user) => ({ user_id: user.id, channel_id: channel.id })));
  if (pairs.length === 0) return [];
  const unread = await tx.readState.unreadInChannels(pairs);
  const removed = await tx.subscriptions.remove(pairs);
  const byId = new Map(users.map((user) => [user.id, user]));
  for (const channel of channels) {
    const gone = removed.filter((pair) => pair.channel_id === channel.id).map((pair) => byId.get(pair.user_id) as User);
    if (gone.length === 0) continue;
    const ids = gone.map((user) => user.id).sort((a, b) => a - b);
    const shown = onlyIfShown(channel);
    scope.emit({
      ...shown,
      audience: { users: ids },
      event: { type: 'subscription', op: 'remove', subscriptions: [{ name: channel.name, stream_id: channel.id }] },
    });
    const blind = await whoCannotSeeAnyMore(scope, channel, gone);
    if (blind.length > 0) {
      scope.emit({
        ...shown,
        audience: { users: blind },
        event: { type: 'stream', op: 'delete', streams: [{ stream_id: channel.id }], stream_ids: [channel.id] },
      });
    }
    scope.emit({
      ...shown,
      audience: { ...(await whoKnowsOf(scope, channel)), except: ids },
      event: { type: 'subscription', op: 'peer_remove', stream_ids: [channel.id], user_ids: ids },
    });
  }
  const wereSubscribed = new Set(removed.map((pair) => `${pair.user_id}:${pair.channel_id}`));
  for (const { user_id, channel_id, message_ids } of unread) {
    if (!wereSubscribed.has(`${user_id}:${channel_id}`)) continue;
    scope.emit({
      audience: { users: [user_id] },
      event: {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages: message_ids,
        all: false,
      },
    });
  }
  return removed;
}

async function whoCannotSeeAnyMore(scope: WriteContext, channel: Channel, gone: readonly User[]): Promise<number[]> {
  if (channel.is_web_public) return [];
  if (!channel.invite_only) return gone.filter(isGuest).map((user) => user.id);
  const holders = await metadataHolders(scope, channel);
  return gone.filter((user) => !isAdministrator(user) && !holders.has(user.id)).map((user) => user.id);
}

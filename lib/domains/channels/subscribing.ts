import { whoKnowsOf } from '../../access/channel-audience.ts';
import { inactiveUserIds } from '../../access/inactive-users.ts';
import { metadataHolders } from '../../access/users-with-permission.ts';
import type { WriteContext } from '../../kernel/context.ts';

import { isAdministrator, isGuest } from '../../rules/roles.ts';
import type { Channel, User } from '../../storage/storage.ts';
import { channelView } from './channel-view.ts';
import { channelColor } from './colors.ts';
import { subscribedEvents } from './subscribed-events.ts';

/**
 * Subscribes users to channels: permission has been checked. Tells the new subscribers, showing the
 * channel first to those who could not see it, and everybody who may see subscribers.
 * Returns the users newly subscribed, by channel.
 */
export async function subscribe(
  scope: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
  colors: ReadonlyMap<number, string> = new Map(),
): Promise<Map<number, User[]>> {
  const { tx } = scope;
  const wanted = channels.flatMap((channel) =>
    users.map((user) => ({
      user_id: user.id,
      channel_id: channel.id,
      color: colors.get(channel.id) ?? channelColor(channel.id),
    })),
  );
  const added = wanted.length > 0 ? await tx.subscriptions.add(wanted) : [];
  const byId = new Map(users.map((user) => [user.id, user]));
  const newcomers = new Map<number, User[]>(channels.map((channel) => [channel.id, []]));
  for (const pair of added) newcomers.get(pair.channel_id)?.push(byId.get(pair.user_id) as User);
  if (added.length === 0) return newcomers;
  const affected = channels.filter((channel) => (newcomers.get(channel.id) as User[]).length > 0);
  const channelIds = affected.map((channel) => channel.id);
  const subscribers = await tx.subscriptions.subscriberIds(channelIds);
  const own = await tx.subscriptions.pairs([...byId.keys()], channelIds);
  const inactive = await inactiveUserIds(scope);
  for (const before of affected) {
    const people = newcomers.get(before.id) as User[];
    const ids = new Set(people.map((user) => user.id));
    const everybody = subscribers.get(before.id) ?? [];
    const channel = { ...before, subscriber_count: everybody.length };
    const unaware = await whoCouldNotSee(scope, channel, people);
    if (unaware.length > 0) {
      scope.emit({
        audience: { users: unaware },
        event: { type: 'stream', op: 'create', streams: [channelView(channel, inactive, scope.now)] },
      });
    }
    const theirs = own.filter(({ user_id, channel_id }) => channel_id === channel.id && ids.has(user_id));
    for (const draft of subscribedEvents(channel, theirs, everybody, inactive, scope.now)) scope.emit(draft);
    scope.emit({
      audience: { ...(await whoKnowsOf(scope, channel)), except: [...ids] },
      event: {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [channel.id],
        user_ids: [...ids].sort((a, b) => a - b),
      },
    });
  }
  return newcomers;
}

/** New subscribers to whom the channel was hidden: guests, and in private channels whoever had no access. */
async function whoCouldNotSee(scope: WriteContext, channel: Channel, people: readonly User[]): Promise<number[]> {
  if (channel.is_web_public) return [];
  if (!channel.invite_only) return people.filter(isGuest).map((user) => user.id);
  const holders = await metadataHolders(scope, channel);
  return people.filter((user) => !isAdministrator(user) && !holders.has(user.id)).map((user) => user.id);
}

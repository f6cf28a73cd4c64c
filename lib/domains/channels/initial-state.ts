import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { Snapshot } from '../../viewer/context.ts';
import { type ChannelObject, channelViews, type SubscriptionObject, withoutNull } from './channel-view.ts';
import { checkNamedSubscribers, namedInFull } from './subscribing.ts';

/** Channels visible to the caller, with their subscriptions. Archived channels only for clients that support them. */
async function channelsOf({ context, options }: Snapshot, channels: readonly Channel[]) {
  const kept = channels.filter((channel) => !channel.is_archived || options.client_capabilities.archived_channels);
  return (await context.viewer.knownChannels(kept)).known;
}

export async function channelsState(snapshot: Snapshot) {
  const { tx } = snapshot.context;
  const views = await channelViews(snapshot.context);
  return { streams: (await channelsOf(snapshot, await tx.channels.all())).map(({ channel }) => views.of(channel)) };
}

/** The same channels in three lists: subscribed, unsubscribed, and on request never subscribed. */
export async function subscriptionsState(snapshot: Snapshot) {
  const { include_never_subscribed } = snapshot;
  const { tx, actor } = snapshot.context;
  const stored = include_never_subscribed ? await tx.channels.all() : await channelsOnceSubscribed(tx, actor);
  const channels = await channelsOf(snapshot, stored);
  const views = await channelViews(snapshot.context);
  const extra = snapshot.options.include_subscribers
    ? await namedSubscribers(
        snapshot,
        channels.map(({ channel }) => channel),
      )
    : () => ({});
  const subscriptions: SubscriptionObject[] = [];
  const unsubscribed: SubscriptionObject[] = [];
  const never_subscribed: ChannelObject[] = [];
  for (const { channel, subscription } of channels) {
    if (!subscription) never_subscribed.push({ ...views.of(channel), ...extra(channel.id) });
    else {
      const stored = views.withSubscription(channel, subscription);
      const known = snapshot.options.client_capabilities.notification_settings_null
        ? stored
        : withoutNull(stored, actor);
      const view = { ...known, ...extra(channel.id) };
      (subscription.active ? subscriptions : unsubscribed).push(view);
    }
  }
  return { subscriptions, unsubscribed, ...(include_never_subscribed ? { never_subscribed } : {}) };
}

async function channelsOnceSubscribed(tx: Transaction, user: User) {
  const subscriptions = await tx.subscriptions.ofUser(user.id, { inactive: true });
  return tx.channels.byIds(subscriptions.map(({ channel_id }) => channel_id));
}

/** The subscriber fields of a channel. Limited, because users times channels can be too large for a response. */
async function namedSubscribers({ context, mayNameSome }: Snapshot, channels: readonly Channel[]) {
  if (!mayNameSome)
    checkNamedSubscribers(channels, 'Set include_subscribers to partial, and list subscribers of single channels.');
  const named = namedInFull(channels);
  const subscribers = await context.tx.subscriptions.subscriberIds([...named]);
  return (id: number) => (named.has(id) ? { subscribers: subscribers.get(id) ?? [] } : { partial_subscribers: [] });
}

import { inactiveUserIds } from '../../../access/inactive-users.ts';
import type { Snapshot } from '../../../kernel/context.ts';
import { type ChannelObject, channelView, type SubscriptionObject, subscriptionView } from '../channel-view.ts';
import { channelsOf } from '../channels-of-client.ts';

/** The channels the caller may know of, by their relation to them. */
export async function subscriptionsState(snapshot: Snapshot) {
  const { tx, now } = snapshot.context;
  const channels = await channelsOf(snapshot);
  const inactive = await inactiveUserIds(snapshot.context);
  const subscribers = snapshot.options.include_subscribers
    ? await tx.subscriptions.subscriberIds(channels.map(({ channel }) => channel.id))
    : undefined;
  const extra = (id: number) => (subscribers ? { subscribers: subscribers.get(id) ?? [] } : {});
  const subscriptions: SubscriptionObject[] = [];
  const unsubscribed: SubscriptionObject[] = [];
  const never_subscribed: ChannelObject[] = [];
  for (const { channel, subscription } of channels) {
    if (!subscription) never_subscribed.push({ ...channelView(channel, inactive, now), ...extra(channel.id) });
    else {
      const view = { ...subscriptionView(channel, subscription, inactive, now), ...extra(channel.id) };
      (subscription.active ? subscriptions : unsubscribed).push(view);
    }
  }
  return { subscriptions, unsubscribed, never_subscribed };
}
